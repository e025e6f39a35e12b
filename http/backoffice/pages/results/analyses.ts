import { notDrawn, pagesShown, pictureFile } from '@tenant-screening/forensics/report/linked-pages';
import { NotFound } from '../../../../core/errors.ts';
import { findAnyDocument } from '../../../../db/documents/documents.ts';
import { DECISIONS } from '../../../../db/documents/finding-decisions.ts';
import { decideFinding, MAX_REASON_LENGTH } from '../../../../jobs/documents/decide-finding.ts';
import { DrawnDocuments } from '../../../../jobs/documents/drawn-documents.ts';
import { requestForensic } from '../../../../jobs/documents/request-forensic.ts';
import { findStoredAnalysis } from '../../../../jobs/documents/stored-analysis.ts';
import { recordLook } from '../../../../jobs/privacy/looks.ts';
import { textIn } from '../../query.ts';
import {
  action,
  expectFound,
  file,
  type Parts,
  page,
  Refused,
  type ResultsVisit,
  readResults,
  type Shown,
} from '../../route.ts';
import { both, givenOne, givenText } from '../given.ts';
import { analysisOf } from './access.ts';
import { analysisPage } from './analysis.ts';
import { PICTURE_POLICY, pictureIn } from './pictures.ts';
import { stampOf } from './stamp.ts';

const drawnDocuments = new DrawnDocuments();

/** A page of a document with its marks, rendered on request. */
const picture = async (visit: ResultsVisit, parts: Parts): Promise<Shown> => {
  const { query, visitor, scope, t } = visit;
  const { db } = parts;
  const { run, about } = await analysisOf(visit, parts);
  const asked = textIn(query, 'document');
  const { analysis } = expectFound(await findStoredAnalysis(parts, run), 'Analysis');
  const found = analysis?.documents.find(({ document_id }) => asked === undefined || document_id === asked);
  const analysed = expectFound(found, 'Document');
  const document = expectFound(await findAnyDocument(db, scope, analysed.document_id), 'Document');
  const wanted = pictureIn(query);
  const pages = pagesShown(analysed);
  if (!pages.includes(wanted.page)) throw new NotFound('Picture');
  const previews = await drawnDocuments.pagesOf(parts, document, pages, {
    viewer: visitor.id,
    watermark: stampOf(visit),
    // Recorded before the document is read: a rendered page counts as seen.
    onDraw: () => recordLook(db, visit, ['document', 'document.read', document.id], about),
  });
  const preview = previews.find(({ page }) => page === wanted.page);
  // The page shows no error response in the picture's place.
  const content = preview
    ? pictureFile(analysed, preview, wanted)
    : notDrawn([t.text('picture.not-drawn'), t.text('picture.not-drawn-why')]);
  return { type: 'image/svg+xml', content, policy: PICTURE_POLICY };
};

export const analysisRoutes = [
  page('/analyses/:id', readResults, analysisPage),
  file('/analyses/:id/picture', readResults, picture),
  action('/analyses/:id/decide', readResults, async (visit, parts) => {
    const { form, actor, t } = visit;
    const { run } = await analysisOf(visit, parts);
    const rule = givenText(visit, 'rule', 'refused.finding');
    const [decision, reason] = both(
      () => givenOne(visit, 'decision', DECISIONS, 'refused.finding'),
      () => {
        const given = form.get('reason') ?? '';
        if (given.trim() === '' || given.length > MAX_REASON_LENGTH)
          throw new Refused(400, t, 'refused.decision-reason', {}, 'reason');
        return given;
      },
    );
    const key = { document_id: textIn(form, 'document') ?? null, rule, finding: Number(textIn(form, 'finding') ?? 1) };
    await decideFinding(parts, run, key, { decision, reason }, actor);
    const shown = textIn(form, 'shown');
    return { goTo: `analyses/${run.id}${shown ? `?document=${Number(shown) || 1}` : ''}`, notice: 'decided' };
  }),
  action('/analyses/:id/rerun', readResults, async (visit, parts) => {
    const { actor, t } = visit;
    const { run, of } = await analysisOf(visit, parts);
    if (!of) throw new Refused(409, t, 'refused.no-key');
    const status = await requestForensic(parts, of, true, actor);
    if (status === 'DOCUMENTS_ANALYSIS_NOT_FOUND') throw new Refused(409, t, 'refused.no-documents');
    if (status === 'KYC_PENDING') throw new Refused(409, t, 'refused.kyc-first');
    if (status !== 'QUEUED') throw new Refused(409, t, 'refused.analysing');
    return { goTo: `people/${run.tenant_id}`, notice: 'analysing' };
  }),
];
