import { createHash } from 'node:crypto';
import type { ReportContent } from '../../core/reports/content.ts';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { completeReport } from '../../db/reports/reports.ts';
import { keepParts } from '../../jobs/reports/report-parts.ts';
import { type Reporting, requestReport, shareReport } from '../../jobs/reports/reports.ts';

const BY = { scope: ALL_LANDLORDS, actor: { kind: 'operator', id: 'the test' } } as const;

/** A finished report and a shared copy of it behind a token, without the work of drawing them. @param file of the copy */
export async function finishedReport(
  runtime: Reporting,
  applicationId: string,
  content: ReportContent = smallReport(),
  file: Uint8Array = Buffer.from('%PDF-1.7'),
): Promise<{ id: string; copyId: string; token: string }> {
  const { db, now } = runtime;
  const complete = async (id: string, drawn: Uint8Array) => {
    const sha256 = createHash('sha256').update(drawn).digest('hex');
    const sealed_content = await keepParts(runtime, { id, sha256 }, content, drawn);
    await completeReport(db, id, { pages: 4, sha256, certificate_sha256: 'b'.repeat(64), sealed_content }, now());
  };
  const id = await requestReport(runtime, applicationId, 'en', { ...BY, viewer: 'Ana Ruiz' });
  await complete(id, Buffer.from('%PDF-1.7 of the report'));
  const copy = await shareReport(runtime, id, 7, { ...BY, viewer: 'Herr Müller' });
  await complete(copy.id, file);
  return { id, copyId: copy.id, token: copy.token };
}

const AT = '2026-11-01T10:00:00.000Z';
const JPEG =
  '/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAALAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AKYAH//Z';

/** One person with one document. */
export function smallReport(pages = 1): ReportContent {
  const income = { monthlyCents: undefined, certainty: undefined, sources: [], outgoings: [], cautions: [] };
  return {
    ...{ language: 'en', madeAt: AT, landlord: 'Casa Norte', colour: null, logo: null },
    application: { id: 'an id', title: 'Flat', createdAt: AT },
    ...{ property: null, rentCents: null, incomeCents: null, sharePercent: null, rule: null, isMet: null },
    guarantorCents: null,
    people: [
      {
        ...{ name: 'Marta Ruiz', email: 'marta@mail.example', isLead: true, isGuarantor: false, consent: 'accepted' },
        ...{ agreements: [], checks: [], income, analysedAt: null, contradictions: [], unchecked: [] },
        documents: [
          {
            ...{ id: 'a document', name: 'payslip.pdf', type: 'payslip', source: 'applicant', addedAt: AT },
            ...{ outcome: 'no_finding', reason: null, pages: 1, findings: [], more: 0, skipped: 0 },
            pictures: Array.from({ length: pages }, (_, before) => ({
              ...{ page: before + 1, width: 595, height: 842, marks: [], jpeg: JPEG },
            })),
          },
        ],
      },
    ],
  };
}
