import type { Preview } from '@tenant-screening/forensics/analysis';
import { notDrawn, onlyPicture } from '@tenant-screening/forensics/report/linked-pages';
import { html, isolated } from '../../../../core/html.ts';
import { fileNameOf } from '../../../../core/rules/file-names.ts';
import { tenantOfKey } from '../../../../core/rules/tenant-of-key.ts';
import { findTenantOfResult } from '../../../../db/applications/tenants.ts';
import { findAnyDocument } from '../../../../db/documents/documents.ts';
import { DrawnDocuments } from '../../../../jobs/documents/drawn-documents.ts';
import { recordLook } from '../../../../jobs/privacy/looks.ts';
import { UnreadableDocument } from '../../../../providers/documents/port.ts';
import { textIn } from '../../query.ts';
import {
  action,
  expectFound,
  file,
  type Parts,
  page,
  proven,
  type ResultsVisit,
  readResults,
  type Visit,
} from '../../route.ts';
import { actionForm } from '../../views/forms.ts';
import { facts, link, linkIn, moment } from '../../views/parts.ts';
import { PICTURE_POLICY } from './pictures.ts';
import { stampOf } from './stamp.ts';

/** How many pages of a document one view draws. */
const PAGES_AT_ONCE = 6;
const MAX_FIRST_PAGE = 10_000;

const drawn = new DrawnDocuments();

/** A document in the visitor's scope, with its person. @throws NotFound */
async function documentOf({ param, scope }: Visit, { db }: Pick<Parts, 'db'>) {
  const document = expectFound(await findAnyDocument(db, scope, param('id')), 'Document');
  const tenant = expectFound(await findTenantOfResult(db, scope, document), 'Document');
  const of = tenantOfKey(document);
  return { document, tenant, about: of ? [of] : [] };
}

/** Draws some pages; looking is recorded before the document is read. Pages that do not exist, or cannot be drawn, are missing. */
async function pagesFrom(visit: ResultsVisit, parts: Parts, first: number): Promise<Preview[]> {
  const { document, about } = await documentOf(visit, parts);
  const pages = Array.from({ length: PAGES_AT_ONCE }, (_, index) => first + index);
  const seen = drawn.pagesOf(parts, document, pages, {
    viewer: visit.visitor.id,
    watermark: stampOf(visit),
    onDraw: () => recordLook(parts.db, visit, ['document', 'document.read', document.id], about),
  });
  const previews = await seen.catch((error: unknown): Preview[] => {
    // Lost, or sealed with another key: the page says what is known about the document.
    if (error instanceof UnreadableDocument) return [];
    throw error;
  });
  return previews.toSorted((one, other) => one.page - other.page);
}

function firstPage({ query }: Pick<Visit, 'query'>, name: string): number {
  const number = Number(textIn(query, name) ?? 1);
  return Number.isSafeInteger(number) && number >= 1 && number <= MAX_FIRST_PAGE ? number : 1;
}

/** A document page by page, each with a watermark, and the way to the original. */
export const documentRoutes = [
  page('/documents/:id', readResults, async (visit, parts) => {
    const { t, to } = visit;
    const { document, tenant } = await documentOf(visit, parts);
    const first = firstPage(visit, 'from');
    const previews = await pagesFrom(visit, parts, first);
    const here = to(`documents/${document.id}`);
    const figures = previews.map(({ page: number, width, height }) => {
      const label = t.text('document.page', { page: number });
      const source = `${here}/picture?page=${number}&from=${first}`;
      return html`<figure><a href="${source}"><img src="${source}" alt="${label}" width="${Math.round(width)}" height="${Math.round(height)}" loading="lazy"></a><figcaption>${label}</figcaption></figure>`;
    });
    const pagesAt = (start: number, text: string) => link(`${here}?from=${Math.max(1, start)}`, text);
    const others = [
      ...(first > 1 ? [pagesAt(first - PAGES_AT_ONCE, t.text('document.pages-before'))] : []),
      ...(previews.length === PAGES_AT_ONCE ? [pagesAt(first + PAGES_AT_ONCE, t.text('document.pages-after'))] : []),
    ];
    const main = html`<p class="note">${t.text('recorded.person')}</p>
${facts([
  [t.text('document'), document.type === null ? null : t.text(`document.${document.type}`)],
  [t.text('document.source'), t.text(`source.${document.source}`)],
  [t.text('created'), moment(document.created_at)],
  [
    t.text('document.file'),
    html`<span translate="no">${document.media_type}</span>, ${t.text('document.kib', { size: Math.ceil(document.size_bytes / 1024) })}`,
  ],
])}
${figures.length > 0 ? html`<div class="pages">${figures}</div>` : html`<p class="lead">${t.text('document.not-drawn')}</p>`}
${others.length > 0 ? html`<nav class="pager" aria-label="${t.text('list.pages')}">${others}</nav>` : undefined}
<h2>${t.text('document.original')}</h2>
<p class="lead">${t.text('document.original-text')}</p>
${actionForm(visit, { to: `documents/${document.id}/original`, label: t.text('document.original-button') })}`;
    return {
      title: document.name,
      heading: isolated(document.name),
      above: [linkIn(visit, `people/${tenant.id}`, isolated(tenant.name || tenant.email))],
      main,
    };
  }),
  file('/documents/:id/picture', readResults, async (visit, parts) => {
    const wanted = firstPage(visit, 'page');
    const previews = await pagesFrom(visit, parts, firstPage(visit, 'from'));
    const preview = previews.find(({ page: number }) => number === wanted);
    const content = preview
      ? onlyPicture(preview)
      : notDrawn([visit.t.text('picture.not-drawn'), visit.t.text('picture.not-drawn-why')]);
    return { type: 'image/svg+xml', content, policy: PICTURE_POLICY };
  }),
  action('/documents/:id/original', proven(readResults), async (visit, parts) => {
    const { document, about } = await documentOf(visit, parts);
    // Recorded before the first byte: a download that is stopped has been read in part.
    await recordLook(parts.db, visit, ['original', 'document.extract', document.id], about);
    return {
      fileName: fileNameOf(document.name),
      content: parts.providers.documents.get(document.sha256),
      done: () => {},
    };
  }),
];
