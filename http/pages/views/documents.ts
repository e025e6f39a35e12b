import { type Html, html, isolated } from '../../../core/html.ts';
import { documentTypes } from '../../../core/rules/document-types.ts';
import { answersOn, type HandedIn } from '../../../core/rules/upload-answers.ts';
import type { Message, Texts } from '../../../core/texts/texts.ts';
import type { Brand } from '../../../db/access/landlord-brands.ts';
import type { Contact } from '../../../db/access/landlord-settings.ts';
import type { RemovedDocument } from '../../../db/documents/removed-documents.ts';
import type { Progress } from '../../../jobs/invitations/progress.ts';
import { answerList } from './answers.ts';
import { journey } from './journey.ts';
import { type UnmarkedPage, windowTitle } from './page.ts';
import { phoneSection } from './phone.ts';
import { wantedList } from './wanted.ts';

type Listed = HandedIn & Pick<Progress['documents'][number], 'name' | 'size_bytes' | 'hasThumbnail'>;

export interface DocumentsView {
  landlord: string;
  brand: Brand;
  contact: Contact;
  title: string;
  limitMib: number;
  progress: Pick<Progress, 'steps' | 'handed' | 'isFromBank' | 'wanted' | 'requests'> & {
    documents: readonly Listed[];
  };
  /** The address that the person's phone opens. */
  phone: string;
  /** The addresses of the page, of its form actions, and of the page that the link leads to. */
  here: string;
  pieces: string;
  /** The address of an action on a document, or of its small picture. */
  below(id: string, what: 'remove' | 'restore' | 'kind' | 'picture'): string;
  back: string;
  /** Where the person connects their bank instead; absent while that is off. */
  bank?: string;
  /** Why files were refused. An entry without a file name concerns the whole form. */
  faults?: readonly { name: string; message: string }[];
  /** What the person removed and may bring back. */
  removed: readonly Pick<RemovedDocument, 'id' | 'name' | 'type'>[];
  /** How many of them at most. */
  most: number;
  /** Such as `2026-03-31`. */
  today: string;
  /** The kind chosen in the previous submission. */
  type?: string | undefined;
}

const ACCEPT = 'application/pdf,image/jpeg,image/png';

/** The texts of the page's script, keyed by the names that the script uses. */
const SCRIPT: Record<string, Message> = {
  sending: 'documents.script.sending',
  checking: 'documents.script.checking',
  waiting: 'documents.script.waiting',
  busy: 'documents.script.busy',
  lost: 'documents.script.lost',
  trouble: 'documents.script.trouble',
  unreadable: 'documents.script.unreadable',
  added: 'documents.script.added',
  failed: 'documents.script.failed',
  large: 'documents.refused.large',
  'no-type': 'documents.no-type',
  'no-file': 'documents.no-file',
};

export function documentsPage(t: Texts, view: DocumentsView): UnmarkedPage {
  const { landlord, title, brand, contact, progress, faults = [] } = view;
  const { documents } = progress;
  return {
    t,
    title: windowTitle(t, [t.text('documents.title'), t.text('name.application')], faults.length > 0),
    script: 'documents.js',
    requester: { landlord, title, brand, contact },
    main: html`${journey(t, progress.steps, 'documents')}
<h1 id="heading" tabindex="-1">${t.text('documents.title')}</h1>
<p class="lead">${t.text(progress.wanted.length > 0 ? 'documents.lead-wanted' : 'documents.lead')}</p>
${faults.length > 0 ? faultList(faults) : undefined}
<div id="wanted-list">${wantedList(t, progress)}</div>
<section aria-labelledby="handed" id="documents"><h2 id="handed">${t.text('documents.handed', { count: progress.handed })}</h2>
${progress.handed > 0 ? html`<ul class="documents">${documents.map((document) => listed(t, document, view))}${fromBank(t, view)}</ul>` : undefined}
${removedList(t, view)}</section>
${view.bank && !progress.isFromBank ? html`<p class="actions"><a class="button plain" href="${view.bank}#step">${t.text('bank.link')}</a></p>` : undefined}
${addForm(t, view)}
${phoneSection(t, view.phone)}
<p class="note">${t.rich('documents.kept', { landlord })}</p>
<p class="actions"><a class="button plain" href="${view.back}#step">${t.text('documents.done')}</a></p>`,
  };
}

function faultList(faults: NonNullable<DocumentsView['faults']>): Html {
  const items = faults.map(
    ({ name, message }) => html`<li>${name === '' ? undefined : html`<b>${isolated(name)}</b> `}${message}</li>`,
  );
  return html`<div class="faults" role="alert" tabindex="-1" data-focus><ul>${items}</ul></div>`;
}

function listed(t: Texts, document: Listed, { here, below, progress, today }: DocumentsView): Html {
  const { id, name, type, size_bytes } = document;
  const answers = answersOn(document, progress.documents, { wanted: progress.wanted, today });
  const picture = document.hasThumbnail
    ? html`<img class="thumbnail" src="${below(id, 'picture')}" alt="" width="56" height="72" loading="lazy">`
    : undefined;
  return html`<li${picture && html` class="pictured"`}>${picture}<div class="what"><b>${t.text(`documents.type.${type ?? 'other'}`)}</b><span>${isolated(name)}</span><small>${sizeIn(t, size_bytes)}</small></div>
${answerList(t, answers, below(id, 'kind'))}
<details id="replace-${id}"><summary><span>${t.rich('documents.replace', { name })}</span></summary>
<form method="post" action="${here}" enctype="multipart/form-data" novalidate>
<input type="hidden" name="type" value="${type ?? 'other'}"><input type="hidden" name="replaces" value="${id}">
<label for="file-${id}">${t.rich('documents.replace-for', { name })}</label>${chooser(t.text('documents.choose-file'), html`<input id="file-${id}" name="file" type="file" accept="${ACCEPT}" required>`)}
<p class="go"><button>${t.text('documents.replace-now')}</button></p></form></details>
<details id="remove-${id}"><summary><span>${t.rich('documents.remove', { name })}</span></summary><p>${t.text('documents.remove-sure')}</p>
<form method="post" action="${below(id, 'remove')}"><p class="go"><button><span>${t.rich('documents.remove-now', { name })}</span></button></p></form></details></li>`;
}

/** A statement that the bank sent. The page of the bank shows and withdraws it. */
function fromBank(t: Texts, { bank, progress }: DocumentsView): Html | undefined {
  if (!progress.isFromBank) return undefined;
  const words = t.text('bank.choose');
  return html`<li><div class="what"><b>${t.text('documents.type.bank_statement')}</b><span>${bank ? html`<a href="${bank}#step">${words}</a>` : words}</span></div></li>`;
}

/** What was removed, with the way back. */
function removedList(t: Texts, { removed, below, most }: DocumentsView): Html | undefined {
  if (removed.length === 0) return undefined;
  const items = removed.map(
    ({ id, name, type }) =>
      html`<li><div class="what"><b>${t.text(`documents.type.${type ?? 'other'}`)}</b><span>${isolated(name)}</span></div>
<form method="post" action="${below(id, 'restore')}"><button class="plain"><span>${t.rich('documents.restore', { name })}</span></button></form></li>`,
  );
  return html`<h3 class="removals-title">${t.text('documents.removed')}</h3><p class="note">${t.text('documents.removed-note', { most })}</p><ul class="documents removals">${items}</ul>`;
}

function sizeIn(t: Texts, bytes: number): string {
  return bytes < 1_000_000
    ? t.text('documents.size-small', { size: Math.max(1, bytes / 1000) })
    : t.text('documents.size', { size: bytes / 1_000_000 });
}

/**
 * Browsers write their own words on a file input, in their own language: the page's words cover them. Without a script, an input for one file
 * shows the name that was chosen, and one for several only that something was. @param chosen the words for that
 */
function chooser(words: string, input: Html, chosen?: string): Html {
  const after = chosen && html`<span class="words chosen" aria-hidden="true">${chosen}</span>`;
  return html`<div class="chooser"><span class="words" aria-hidden="true">${words}</span>${after}${input}</div>`;
}

function addForm(t: Texts, { here, pieces, limitMib, type }: DocumentsView): Html {
  const options = documentTypes.map(
    (value) =>
      html`<option value="${value}"${value === type ? html` selected` : undefined}>${t.text(`documents.type.${value}`)}</option>`,
  );
  const words = Object.entries(SCRIPT).map(([name, message]) => html` data-${name}="${t.text(message)}"`);
  return html`<form id="add" method="post" action="${here}" enctype="multipart/form-data" data-pieces="${pieces}" data-limit="${limitMib}"${words} novalidate><h2>${t.text('documents.add-heading')}</h2>
<label for="type">${t.text('documents.type-label')}</label>
<select id="type" name="type" required><option value="">${t.text('documents.choose')}</option>${options}</select>
<label for="files">${t.text('documents.files')}</label>
<p class="hint" id="files-hint">${t.text('documents.files-hint', { limit: limitMib })}</p>
${chooser(t.text('documents.choose-files'), html`<input id="files" name="file" type="file" accept="${ACCEPT}" multiple required aria-describedby="files-hint">`, t.text('documents.chosen'))}
<div class="photo"><label for="photo">${t.text('documents.photo')}</label>
${chooser(t.text('documents.take-photo'), html`<input id="photo" name="file" type="file" accept="image/jpeg,image/png" capture="environment" required>`)}</div>
<p class="go"><button>${t.text('documents.add')}</button></p>
<div role="status"><ul class="uploads" id="uploads"></ul></div></form>`;
}
