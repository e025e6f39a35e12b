import type { Analysis } from '@tenant-screening/forensics/analysis';
import { ifOpened, unsealJson } from '../../core/secrets/secrets.ts';
import type { Database } from '../../db/connection/database.ts';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { type ForensicRunRow, findForensicRun } from '../../db/documents/forensic-runs.ts';
import type { Runtime } from '../runtime.ts';

/** A finished run as operators see it. */
export interface StoredAnalysis {
  /** The run that holds the result: an earlier run when its result was reused. */
  run: ForensicRunRow;
  stored: unknown;
  /** Undefined when a simulation or an older engine stored less than a report shows. */
  analysis: Analysis | undefined;
}

/** @returns undefined when the run is not completed, its result was erased, or no key opens it */
export async function findStoredAnalysis(
  { db, keys }: Pick<Runtime, 'keys'> & { db: Database },
  run: ForensicRunRow,
): Promise<StoredAnalysis | undefined> {
  const holder = (run.result_of !== null && (await findForensicRun(db, ALL_LANDLORDS, run.result_of))) || run;
  if (holder.result === null) return undefined;
  const opened = openAnalysis(holder.result, keys);
  return opened && { run: holder, ...opened };
}

/** @param result sealed @returns undefined when no key opens it */
export function openAnalysis(
  result: string,
  keys: Pick<Runtime, 'keys'>['keys'],
): Pick<StoredAnalysis, 'stored' | 'analysis'> | undefined {
  const text = ifOpened(() => unsealJson(result, keys.encryption));
  if (text === undefined) return undefined;
  const stored: unknown = JSON.parse(text);
  return { stored, analysis: isAnalysis(stored) ? stored : undefined };
}

function isAnalysis(stored: unknown): stored is Analysis {
  if (!isObject(stored) || !isObject(stored['engine']) || !Array.isArray(stored['documents'])) return false;
  const { version } = stored['engine'];
  return typeof version === 'string' && Array.isArray(stored['cross_checks']) && stored['documents'].every(isDocument);
}

function isDocument(value: unknown): boolean {
  return isObject(value) && Array.isArray(value['checks']) && isObject(value['facts']);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
