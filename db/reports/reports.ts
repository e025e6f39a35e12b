import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { inScope, type Scope } from '../connection/queries/scope.ts';
import { retried } from '../connection/transactions.ts';
import { hasStatus } from '../work/beside-id.ts';
import { dueAt, type WorkRow } from '../work/work.ts';

export const reportStatuses = ['pending', 'completed', 'failed'] as const;

/** A copy of the report about an application, for one viewer. */
export interface ReportRow extends WorkRow {
  status: (typeof reportStatuses)[number];
  application_id: string;
  api_key_id: string;
  /** The report whose content it repeats, for a shared copy. */
  made_from: string | null;
  language: string;
  /** The name of the person for whom it is made; on every page. */
  sealed_viewer: string;
  /** The digest of the secret in the link of a shared copy. */
  token_hash: string | null;
  token_expires_at: string | null;
  revoked_at: string | null;
  /** Steps done, of `total`. */
  done: number;
  total: number;
  pages: number | null;
  /** The digest of the file. */
  sha256: string | null;
  certificate_sha256: string | null;
  /** What it says, as JSON; its pictures are in `report_parts`, or else within. */
  sealed_content: string | null;
  /** The PDF in base64, unless it is in `report_parts`. */
  sealed_file: string | null;
}

/** A picture, or a piece of the file. */
export interface ReportPartRow {
  /** That of the report, the digest of its file, and the part's name. */
  id: string;
  report_id: string;
  /** Bytes in base64. */
  sealed_part: string;
}

export type OwnedReport = Pick<ReportRow, 'id' | 'api_key_id'>;
export type MadeReport = OwnedReport & Pick<ReportRow, 'sha256'>;

export interface ReportViewRow {
  id: string;
  report_id: string;
  what: 'page' | 'file';
  at: string;
}

/** A report without what makes it large. */
export type ListedReport = Omit<ReportRow, 'sealed_content' | 'sealed_file'>;

const LISTED = [
  ...(['id', 'status', 'application_id', 'api_key_id', 'made_from', 'language', 'sealed_viewer'] as const),
  ...(['token_hash', 'token_expires_at', 'revoked_at', 'done', 'total', 'pages', 'sha256'] as const),
  ...(['certificate_sha256', 'due_at', 'leased_by', 'failures', 'expiries', 'failure'] as const),
  ...(['correlation_id', 'created_at', 'finished_at'] as const),
];

export async function insertReport(trx: Transaction, row: ReportRow): Promise<void> {
  await trx('reports').insert(row);
}

/** For the work. */
export function getReport(db: Database, id: string): Promise<ListedReport | undefined> {
  return db('reports')
    .where({ id })
    .first(...LISTED);
}

export function findReport(db: Database, scope: Scope, id: string): Promise<ListedReport | undefined> {
  return db('reports')
    .where({ id })
    .where(inScope(scope, 'api_key_id'))
    .first(...LISTED);
}

/** Null until it is made or if it is in parts, undefined once it is gone. */
export async function getSealed(
  db: Database,
  { id, api_key_id }: OwnedReport,
  column: 'sealed_content' | 'sealed_file',
): Promise<string | null | undefined> {
  const [sealed]: (string | null)[] = await db('reports').where({ id, api_key_id }).pluck(column);
  return sealed;
}

/** Before the report is completed with the file of this digest. The reference to the report keeps parts of none from being left. */
export async function insertReportPart(
  db: Database,
  report: Pick<ReportRow, 'id' | 'sha256'>,
  name: string,
  sealed_part: string,
): Promise<void> {
  const row = { id: partId(report, name), report_id: report.id, sealed_part };
  await retried(db, () => db('report_parts').insert(row).onConflict('id').merge());
}

export async function findReportPart(db: Database, report: MadeReport, name: string): Promise<string | undefined> {
  const part = db('report_parts').join('reports', 'reports.id', 'report_parts.report_id');
  const [sealed]: string[] = await part
    .where('report_parts.id', partId(report, name))
    .where('reports.api_key_id', report.api_key_id)
    .pluck('report_parts.sealed_part');
  return sealed;
}

/** With the digest of the file, because another attempt may have left parts of another file. */
function partId({ id, sha256 }: Pick<ReportRow, 'id' | 'sha256'>, name: string): string {
  return `${id}/${sha256}/${name}`;
}

/** Newest first. */
export function listReports(
  db: Database,
  scope: Scope,
  { applicationId, limit }: { applicationId?: string; limit: number },
): Promise<ListedReport[]> {
  return db('reports')
    .where(inScope(scope, 'api_key_id'))
    .where(applicationId === undefined ? {} : { application_id: applicationId })
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .select(...LISTED);
}

export async function countOpenReports(trx: Transaction, applicationId: string): Promise<number> {
  const open = trx('reports').where({ application_id: applicationId }).whereNull('finished_at').limit(100);
  return (await open.select('id')).length;
}

/** Counted up to a limit. */
export async function countReports(trx: Transaction, applicationId: string, limit: number): Promise<number> {
  return (await trx('reports').where({ application_id: applicationId }).limit(limit).select('id')).length;
}

/** The shared copy behind a secret, while its link is valid. */
export function findSharedReport(db: Database, tokenHash: string, now: Date): Promise<ListedReport | undefined> {
  return db('reports')
    .where({ token_hash: tokenHash })
    .whereNull('revoked_at')
    .where('token_expires_at', '>', now.toISOString())
    .first(...LISTED);
}

/** A completed report by the number printed in it, or by the digest of its file. */
export function findVerified(
  db: Database,
  by: { id: string } | { sha256: string },
): Promise<Pick<ReportRow, 'id' | 'sha256' | 'certificate_sha256' | 'finished_at'> | undefined> {
  return db('reports')
    .where({ ...by, status: 'completed' })
    .first('id', 'sha256', 'certificate_sha256', 'finished_at');
}

/** @returns false when the report was deleted meanwhile */
export async function noteProgress(db: Database, id: string, steps: { done: number; total: number }): Promise<boolean> {
  return (await retried(db, () => db('reports').where({ id }).where(hasStatus('pending')).update(steps))) === 1;
}

type Made = Pick<ReportRow, 'pages' | 'sha256' | 'certificate_sha256' | 'sealed_content'>;

/** Does nothing about a report that was deleted or completed meanwhile. */
export async function completeReport(db: Database, id: string, made: Made, now: Date): Promise<void> {
  await retried(db, () =>
    db('reports')
      .where({ id })
      .where(hasStatus('pending'))
      .update({
        ...made,
        ...dueAt(null),
        status: 'completed',
        failures: 0,
        failure: null,
        finished_at: now.toISOString(),
      }),
  );
}

/** @returns false when it is not shared, or was revoked before */
export async function revokeShare(trx: Transaction, id: string, now: Date): Promise<boolean> {
  const shared = trx('reports').where({ id }).whereNotNull('token_hash').whereNull('revoked_at');
  return (await shared.update({ revoked_at: now.toISOString() })) === 1;
}

/** Records a look, the first of its kind on each day: a link lasts for days, so its list stays complete, however often a loop looks. */
export async function recordReportView(
  db: Database,
  { report_id, what }: Pick<ReportViewRow, 'report_id' | 'what'>,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  const id = `${report_id}-${what}-${at.slice(0, at.indexOf('T'))}`;
  if (await db('report_views').where({ id }).first('id')) return;
  await retried(db, () => db('report_views').insert({ id, report_id, what, at }).onConflict('id').ignore());
}

/** More than a link has days, for each kind of look. */
const MAX_VIEWS = 500;

/** Newest first. */
export function listReportViews(db: Database, reportId: string): Promise<ReportViewRow[]> {
  return db('report_views').where({ report_id: reportId }).orderBy('at', 'desc').orderBy('id', 'desc').limit(MAX_VIEWS);
}

/** Deletes reports with the log of who looked. */
export async function deleteReports(trx: Transaction, ids: readonly string[]): Promise<number> {
  await trx('report_views')
    .whereIn('report_id', [...ids])
    .delete();
  return trx('reports')
    .whereIn('id', [...ids])
    .delete();
}

/** A report contains everyone of its application: it goes with any of them. */
export async function deleteReportsOfApplication(trx: Transaction, applicationId: string): Promise<number> {
  return deleteReports(trx, await trx('reports').where({ application_id: applicationId }).pluck('id'));
}

/** Deletes the reports that may contain a person's data, when some of it is deleted. */
export async function deleteReportsAbout(trx: Transaction, { tenant_id, api_key_id }: TenantOfKey): Promise<number> {
  const ids = await trx('reports')
    .join('participants', 'participants.application_id', 'reports.application_id')
    .join('tenants', 'tenants.comparable_email', 'participants.comparable_email')
    .where('tenants.id', tenant_id)
    .where('reports.api_key_id', api_key_id)
    .pluck('reports.id');
  return deleteReports(trx, ids);
}
