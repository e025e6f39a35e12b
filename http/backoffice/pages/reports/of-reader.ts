import { findReport, type ListedReport } from '../../../../db/reports/reports.ts';
import { viewerOf } from '../../../../jobs/reports/reports.ts';
import { expectFound, type Parts, Refused, type Visit } from '../../route.ts';

/** The report of the address, in the visitor's scope. @throws NotFound */
export async function reportOf({ param, scope }: Visit, { db }: Pick<Parts, 'db'>): Promise<ListedReport> {
  return expectFound(await findReport(db, scope, param('id')), 'Report');
}

/** Whether the name on its pages is the visitor's. */
export function isOfReader(row: ListedReport, { visitor }: Visit, parts: Pick<Parts, 'keys'>): boolean {
  return row.token_hash === null && viewerOf(row, parts) === visitor.name;
}

/** A finished report of the scope. @throws NotFound, Refused */
export async function finishedReport(visit: Visit, parts: Pick<Parts, 'db'>): Promise<ListedReport> {
  const row = await reportOf(visit, parts);
  if (row.status !== 'completed') throw new Refused(409, visit.t, 'refused.report-open');
  return row;
}

/** The visitor's own finished copy: a file bears the name of the one who downloads it. @throws NotFound, Refused */
export async function ownReport(visit: Visit, parts: Pick<Parts, 'db' | 'keys'>): Promise<ListedReport> {
  const row = await finishedReport(visit, parts);
  if (!isOfReader(row, visit, parts)) throw new Refused(409, visit.t, 'refused.report-of-other');
  return row;
}
