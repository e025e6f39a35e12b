import { type Html, html } from '../../../core/html.ts';
import { documentTypes } from '../../../core/rules/document-types.ts';
import type { DocumentRow } from '../../../db/documents/documents.ts';
import { texts } from '../texts/documents.ts';
import { journey, type Way } from './journey.ts';
import { quoted, type UnmarkedPage } from './page.ts';

export interface DocumentsView {
  landlord: string;
  title: string;
  documents: readonly Pick<DocumentRow, 'id' | 'name' | 'type' | 'size_bytes'>[];
  limitMib: number;
  first: Way['first'];
  /** The address of the page, and of the page that the link leads to. */
  here: string;
  back: string;
  /** Why files were refused: of the form when they have no name. */
  faults?: readonly { name: string; message: string }[];
  /** The kind that was chosen before. */
  type?: string | undefined;
}

const ACCEPT = 'application/pdf,image/jpeg,image/png';

export function documentsPage(view: DocumentsView): UnmarkedPage {
  const { landlord, title, documents, faults = [] } = view;
  return {
    title: `${faults.length > 0 ? `${texts.error}: ` : ''}${texts.title} – ${texts.name}`,
    script: 'documents.js',
    asker: { landlord, title },
    main: html`${journey({ first: view.first, documents: documents.length }, 'documents')}
<h1 id="heading" tabindex="-1">${texts.title}</h1>
<p class="lead">${texts.lead}</p>
${faults.length > 0 ? faultList(faults) : undefined}
<section aria-labelledby="handed" id="documents"><h2 id="handed">${documents.length > 0 ? texts.handed(documents.length) : texts.none}</h2>
${documents.length > 0 ? html`<ul class="documents">${documents.map((document) => listed(document, view))}</ul>` : undefined}</section>
${addForm(view)}
<p class="note">${texts.kept(landlord)}</p>
<p class="actions"><a class="button plain" href="${view.back}#step">${texts.done}</a></p>`,
  };
}

function faultList(faults: NonNullable<DocumentsView['faults']>): Html {
  const items = faults.map(
    ({ name, message }) => html`<li>${name === '' ? undefined : html`<b>${quoted(name)}</b> `}${message}</li>`,
  );
  return html`<div class="faults" role="alert" tabindex="-1" data-focus><ul>${items}</ul></div>`;
}

function listed({ id, name, type, size_bytes }: DocumentsView['documents'][number], { here }: DocumentsView): Html {
  return html`<li><div class="what"><b>${texts.types[type ?? 'other']}</b><span>${quoted(name)}</span><small>${texts.size(size_bytes)}</small></div>
<details><summary>${texts.replace}<span class="sr"> ${name}</span></summary>
<form method="post" action="${here}" enctype="multipart/form-data">
<input type="hidden" name="type" value="${type ?? 'other'}"><input type="hidden" name="replaces" value="${id}">
<label for="file-${id}">${texts.replaceFor(name)}</label><input id="file-${id}" name="file" type="file" accept="${ACCEPT}" required>
<p class="go"><button>${texts.replaceNow}</button></p></form></details>
<form method="post" action="${here}/${id}/remove"><button class="plain">${texts.remove}<span class="sr"> ${name}</span></button></form></li>`;
}

function addForm({ here, limitMib, type }: DocumentsView): Html {
  const options = documentTypes.map(
    (value) =>
      html`<option value="${value}"${value === type ? html` selected` : undefined}>${texts.types[value]}</option>`,
  );
  const words = Object.entries(texts.script).map(([name, text]) => html` data-${name}="${text}"`);
  return html`<form id="add" method="post" action="${here}" enctype="multipart/form-data" data-limit="${limitMib}"${words}><h2>${texts.addHeading}</h2>
<label for="type">${texts.typeLabel}</label>
<select id="type" name="type" required><option value="">${texts.choose}</option>${options}</select>
<label for="files">${texts.filesLabel}</label>
<p class="hint" id="files-hint">${texts.filesHint(limitMib)}</p>
<input id="files" name="file" type="file" accept="${ACCEPT}" multiple aria-describedby="files-hint">
<div class="photo"><label for="photo">${texts.photo}</label>
<input id="photo" name="file" type="file" accept="image/jpeg,image/png" capture="environment"></div>
<p class="go"><button>${texts.add}</button></p>
<div role="status"><ul class="uploads" id="uploads"></ul></div></form>`;
}
