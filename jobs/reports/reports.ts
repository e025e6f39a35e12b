import { correlationId, narrowParty } from '../../core/correlation.ts';
import { NotFound, ValidationError } from '../../core/errors.ts';
import { newTimelessId } from '../../core/ids.ts';
import { partyOfKey } from '../../core/party.ts';
import type { ReportContent } from '../../core/reports/content.ts';
import { hashSecret, ifOpened, randomSecret, sealText, unsealText } from '../../core/secrets/secrets.ts';
import type { Language } from '../../core/texts/languages.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { findLandlordBrand } from '../../db/access/landlord-brands.ts';
import { findListedApplication } from '../../db/applications/application-lists.ts';
import { lockAnyApplication } from '../../db/applications/applications.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { ALL_LANDLORDS, isInScope, type Scope } from '../../db/connection/queries/scope.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import {
  countOpenReports,
  countReports,
  findReport,
  findSharedReport,
  insertReport,
  type ListedReport,
  type ReportRow,
  recordReportView,
  revokeShare,
} from '../../db/reports/reports.ts';
import { dueAt } from '../../db/work/work.ts';
import type { Runtime } from '../runtime.ts';
import { contentOf, fileOf, pictureOf } from './opened-reports.ts';

/** The uses of reports by the back office, each for a scope, and by those with whom one is shared. */

export type Reporting = Pick<Runtime, 'db' | 'keys' | 'queue' | 'now' | 'reports'>;

export const MAX_SHARE_DAYS = 90;
export const DEFAULT_SHARE_DAYS = 14;
export const MAX_VIEWER_LENGTH = 120;

/** A name on every page of a copy. @throws ValidationError */
export function readViewer(text: string): string {
  const viewer = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  if (viewer === '' || viewer.length > MAX_VIEWER_LENGTH)
    throw new ValidationError([], `viewer: must be a name of at most ${MAX_VIEWER_LENGTH} characters.`);
  return viewer;
}

/** More of an application are under way than may be. */
export class TooManyReports extends ValidationError {}

/** How many reports of an application are kept: each has megabytes, and all that show a document are deleted with it. */
export const MAX_REPORTS = 100;

/** There is room for another one once old ones are deleted. */
export class TooManyKept extends ValidationError {}

/** It is not ready, or is a copy itself. */
export class NotShareable extends ValidationError {}

interface Request {
  scope: Scope;
  actor: Actor;
  /** The name of the person who will read it. */
  viewer: string;
}

/** Begins to make a report. @returns its id @throws NotFound, ValidationError when too many wait */
export async function requestReport(
  runtime: Reporting,
  applicationId: string,
  language: Language | undefined,
  { scope, actor, viewer }: Request,
): Promise<string> {
  return inTransaction(runtime.db, async (trx) => {
    const { api_key_id } = await lockAnyApplication(trx, applicationId);
    if (!isInScope(scope, api_key_id)) throw new NotFound('Application');
    const tag = language ?? (await languageOf(trx, applicationId));
    const row = newRow(runtime, { application_id: applicationId, api_key_id, language: tag }, readViewer(viewer));
    await insertDue(trx, runtime, row);
    await recordAudit(trx, actor, 'report.make', row.id, runtime.now());
    return row.id;
  });
}

/** The landlord's, or English. */
async function languageOf(trx: Transaction, applicationId: string): Promise<string> {
  const application = await findListedApplication(trx, ALL_LANDLORDS, applicationId);
  return (application && (await findLandlordBrand(trx, application.landlord_id))?.language) ?? 'en';
}

/** Makes a copy for someone else, behind a link that expires. @throws NotFound, ValidationError */
export async function shareReport(
  runtime: Reporting,
  reportId: string,
  days: number,
  { scope, actor, viewer }: Request,
): Promise<{ id: string; token: string; expiresAt: string }> {
  const { db, now } = runtime;
  const token = randomSecret();
  return inTransaction(db, async (trx) => {
    const source = await findReport(trx, scope, reportId);
    if (!source) throw new NotFound('Report');
    if (source.status !== 'completed' || source.token_hash !== null)
      throw new NotShareable([], 'report: must be a completed report that is not a shared copy itself.');
    await lockAnyApplication(trx, source.application_id);
    const expiresAt = isoAfter(now(), Math.min(Math.max(1, days), MAX_SHARE_DAYS) * DAY_MS);
    const row: ReportRow = {
      ...newRow(runtime, source, readViewer(viewer)),
      made_from: source.id,
      token_hash: hashSecret(token),
      token_expires_at: expiresAt,
    };
    await insertDue(trx, runtime, row);
    await recordAudit(trx, actor, 'report.share', row.id, now());
    return { id: row.id, token, expiresAt };
  });
}

/** Ends a link at once. @returns false when it was not shared, or revoked before @throws NotFound */
export function revokeReport(
  { db, now }: Reporting,
  reportId: string,
  { scope, actor }: Omit<Request, 'viewer'>,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    if (!(await findReport(trx, scope, reportId))) throw new NotFound('Report');
    const isRevoked = await revokeShare(trx, reportId, now());
    if (isRevoked) await recordAudit(trx, actor, 'report.revoke', reportId, now());
    return isRevoked;
  });
}

/** The file, for the back office; the reading is recorded first. Undefined until it is made. @throws NotFound */
export async function readReportFile(runtime: Reading, reportId: string, by: Reader): Promise<Buffer | undefined> {
  const row = await finishedOf(runtime, reportId, by);
  if (!row) return undefined;
  await recordReading(runtime, reportId, by);
  return fileOf(runtime, row);
}

/** What it says, for the back office; the reading is recorded first. Undefined until it is made. @throws NotFound */
export async function readReportContent(
  runtime: Reading,
  reportId: string,
  by: Reader,
): Promise<ReportContent | undefined> {
  const row = await finishedOf(runtime, reportId, by);
  if (!row) return undefined;
  await recordReading(runtime, reportId, by);
  return contentOf(runtime, row);
}

/** A picture of a report whose reading was recorded. @throws NotFound */
export async function findReportPicture(
  runtime: Reading,
  reportId: string,
  scope: Scope,
  name: string,
): Promise<Buffer> {
  return foundPicture(runtime, await finishedOf(runtime, reportId, { scope }), name);
}

/** @throws NotFound */
async function foundPicture(runtime: Reading, row: ListedReport | undefined, name: string): Promise<Buffer> {
  const picture = row && (await pictureOf(runtime, row, name));
  if (!picture) throw new NotFound('Picture');
  return picture;
}

type Reading = Pick<Runtime, 'db' | 'keys' | 'now'>;
type Reader = Omit<Request, 'viewer'>;

/** Undefined until it is made. @throws NotFound */
async function finishedOf({ db }: Reading, reportId: string, { scope }: Pick<Reader, 'scope'>) {
  const row = await findReport(db, scope, reportId);
  if (!row) throw new NotFound('Report');
  return row.status === 'completed' ? row : undefined;
}

async function recordReading({ db, now }: Reading, reportId: string, { actor }: Reader): Promise<void> {
  await inTransaction(db, (trx) => recordAudit(trx, actor, 'report.read', reportId, now()));
}

/** Empty when no key opens it: a list still shows the report. */
export function viewerOf(
  { sealed_viewer }: Pick<ListedReport, 'sealed_viewer'>,
  { keys }: Pick<Runtime, 'keys'>,
): string {
  return ifOpened(() => unsealText(sealed_viewer, keys.encryption)) ?? '';
}

/** The copy behind a link, while it is valid. @throws NotFound */
export async function findShared({ db, now }: Pick<Runtime, 'db' | 'now'>, token: string): Promise<ListedReport> {
  const row = await findSharedReport(db, hashSecret(token), now());
  if (!row || row.status === 'failed') throw new NotFound('Report');
  await narrowParty(partyOfKey(row.api_key_id, row.id));
  return row;
}

export interface SharedReport {
  row: ListedReport;
  viewer: string;
  /** Undefined until it is made. */
  content: ReportContent | undefined;
}

/** What the copy behind a link says; a look at a finished one is recorded first. @throws NotFound */
export async function readShared(runtime: Reading, token: string): Promise<SharedReport> {
  const { db, now } = runtime;
  const row = await findShared(runtime, token);
  if (row.status === 'completed') await recordReportView(db, { report_id: row.id, what: 'page' }, now());
  return { row, viewer: viewerOf(row, runtime), content: await contentOf(runtime, row) };
}

/** The file of the copy behind a link; the look is recorded first. @throws NotFound, also until it is made */
export async function readSharedFile(runtime: Reading, token: string): Promise<{ id: string; file: Buffer }> {
  const { db, now } = runtime;
  const { id, ...row } = await findShared(runtime, token);
  if (row.status === 'completed') await recordReportView(db, { report_id: id, what: 'file' }, now());
  const file = await fileOf(runtime, { id, ...row });
  if (!file) throw new NotFound('Report');
  return { id, file };
}

/** A picture on the page of the copy behind a link. @throws NotFound */
export async function findSharedPicture(runtime: Reading, token: string, name: string): Promise<Buffer> {
  return foundPicture(runtime, await findShared(runtime, token), name);
}

function newRow(
  { keys, now }: Pick<Runtime, 'keys' | 'now'>,
  { application_id, api_key_id, language }: Pick<ReportRow, 'application_id' | 'api_key_id' | 'language'>,
  viewer: string,
): ReportRow {
  const moment = now();
  return {
    // It is printed, and a person who knows it learns that there is a report: it cannot be guessed.
    id: newTimelessId(),
    ...{ application_id, api_key_id, language, status: 'pending' as const, made_from: null },
    sealed_viewer: sealText(viewer, keys.encryption),
    ...{ token_hash: null, token_expires_at: null, revoked_at: null, done: 0, total: 0, pages: null },
    ...{ sha256: null, certificate_sha256: null, sealed_content: null, sealed_file: null },
    ...dueAt(moment),
    ...{ failures: 0, expiries: 0, failure: null, correlation_id: correlationId() ?? null },
    created_at: moment.toISOString(),
    finished_at: null,
  };
}

async function insertDue(trx: Transaction, { queue, reports }: Reporting, row: ReportRow): Promise<void> {
  if ((await countOpenReports(trx, row.application_id)) >= reports.maxWaiting)
    throw new TooManyReports([], 'application: too many reports of it are waiting; try again once they are made.');
  if ((await countReports(trx, row.application_id, MAX_REPORTS)) >= MAX_REPORTS)
    throw new TooManyKept([], `application: ${MAX_REPORTS} reports of it are kept, as many as may be.`);
  await insertReport(trx, row);
  await queue.send(trx, 'make-report', [row.id]);
}
