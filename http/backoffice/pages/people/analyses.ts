import { notDrawn, pagesShown, pictureFile } from '@tenant-screening/forensics/report/linked-pages';
import { Conflict, NotFound, ValidationError } from '../../../../core/errors.ts';
import { tenantOfKey } from '../../../../core/rules/tenant-of-key.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { findAnyDocument } from '../../../../db/documents/documents.ts';
import { DECISIONS } from '../../../../db/documents/finding-decisions.ts';
import { findForensicRun } from '../../../../db/documents/forensic-runs.ts';
import { decideFinding } from '../../../../jobs/documents/decide-finding.ts';
import { DrawnDocuments } from '../../../../jobs/documents/drawn-documents.ts';
import { REQUESTED, requestForensic } from '../../../../jobs/documents/request-forensic.ts';
import { findStoredAnalysis } from '../../../../jobs/documents/stored-analysis.ts';
import { oneIn, textIn } from '../../query.ts';
import { action, expectFound, type FileRoute, file, type GoTo, operatorsOnly, type Parts, page } from '../../route.ts';
import { analysisPage } from './analysis.ts';
import { pictureIn } from './pictures.ts';

/** The picture is self-contained and loads nothing. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
const NOT_DRAWN = [
  'This page could not be drawn: the file is damaged, or drawing it',
  'takes more time or memory than is allowed.',
];
const drawnDocuments = new DrawnDocuments();

/** A page of a document with its marks, rendered on request. */
const picture: FileRoute<Parts>['handle'] = async ({ param, query, visitor, actor, now, scope }, console) => {
  const { db } = console;
  const run = expectFound(await findForensicRun(db, scope, param('id')), 'Analysis');
  const asked = textIn(query, 'document');
  const { analysis } = expectFound(await findStoredAnalysis(console, run), 'Analysis');
  const found = analysis?.documents.find(({ document_id }) => asked === undefined || document_id === asked);
  const analysed = expectFound(found, 'Document');
  const document = expectFound(await findAnyDocument(db, scope, analysed.document_id), 'Document');
  const wanted = pictureIn(query);
  const pages = pagesShown(analysed);
  if (!pages.includes(wanted.page)) throw new NotFound('Picture');
  const previews = await drawnDocuments.pagesOf(console, document, pages, {
    viewer: visitor.id,
    // Recorded before the document is read: a rendered page counts as seen.
    onDraw: () => inTransaction(db, (trx) => recordAudit(trx, actor, 'document.read', document.id, now)),
  });
  const preview = previews.find(({ page }) => page === wanted.page);
  // The page shows no error response in the picture's place.
  const content = preview ? pictureFile(analysed, preview, wanted) : notDrawn(NOT_DRAWN);
  return { type: 'image/svg+xml', content: expectFound(content, 'Picture'), policy: POLICY };
};

export const analysisRoutes = [
  page('/analyses/:id', operatorsOnly, analysisPage),
  file('/analyses/:id/picture', operatorsOnly, picture),
  action('/analyses/:id/decide', operatorsOnly, async ({ param, form, actor, scope }, console): Promise<GoTo> => {
    const run = expectFound(await findForensicRun(console.db, scope, param('id')), 'Analysis');
    const [rule, decision] = [textIn(form, 'rule'), oneIn(form, 'decision', DECISIONS)];
    if (rule === undefined || decision === undefined)
      throw new ValidationError([], 'Say which finding is decided, and how.');
    const key = { document_id: textIn(form, 'document') ?? null, rule, finding: Number(textIn(form, 'finding') ?? 1) };
    await decideFinding(console, run, key, { decision, reason: form.get('reason') ?? '' }, actor);
    const shown = textIn(form, 'shown');
    return { goTo: `analyses/${run.id}${shown ? `?document=${Number(shown) || 1}` : ''}`, notice: 'decided' };
  }),
  action('/analyses/:id/rerun', operatorsOnly, async ({ param, actor, scope }, console): Promise<GoTo> => {
    const run = expectFound(await findForensicRun(console.db, scope, param('id')), 'Analysis');
    const of = tenantOfKey(run);
    if (!of) throw new Conflict('No API key is known for this analysis.');
    const status = await requestForensic(console, of, true, actor);
    if (status !== 'QUEUED') throw new Conflict(REQUESTED[status]);
    return { goTo: `people/${run.tenant_id}`, notice: 'analysing' };
  }),
];
