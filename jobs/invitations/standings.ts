import { gravestFirst } from '@tenant-screening/forensics/report/sections';
import { onboardingStatus } from '../../core/rules/onboarding.ts';
import { hasWanted, isRequestOpen, type StepName, wantedStates } from '../../core/rules/progress.ts';
import { NO_LISTS, wantedOf } from '../../core/rules/wanted-documents.ts';
import { listStandings, listWanted, type StandingRow } from '../../db/applications/application-steps.ts';
import { listRequestsOf } from '../../db/applications/document-requests.ts';
import { findGivenBy } from '../../db/documents/documents.ts';
import { findResults } from '../../db/documents/forensic-runs.ts';
import { withGlances } from '../documents/glances.ts';
import { openAnalysis } from '../documents/stored-analysis.ts';
import type { Runtime } from '../runtime.ts';

type Needs = Pick<Runtime, 'db' | 'keys' | 'now'>;

/** An application to search. */
export interface Asked {
  id: string;
  api_key_id: string;
  landlord_id: string;
}

/**
 * Finds the applications in which a person lacks a step: someone who takes part and has not declined. A check is lacking until one has
 * succeeded, whether it was started or not.
 * @returns their ids
 */
export async function findLacking(
  parts: Needs,
  step: StepName,
  applications: readonly Asked[],
): Promise<ReadonlySet<string>> {
  const isCheck = step === 'kyc' || step === 'eid' || step === 'analysis';
  const rows = await listStandings(parts.db, idsOf(applications), isCheck ? step : undefined);
  const lacking =
    step === 'documents'
      ? await withoutDocuments(parts, rows, applications)
      : rows.filter((row) => lacks(step, row, parts.now()));
  return new Set(lacking.map(({ application_id }) => application_id));
}

function lacks(step: Exclude<StepName, 'documents'>, row: StandingRow, now: Date): boolean {
  if (step === 'answer') return row.consent_status !== 'accepted';
  if (step === 'profile') return onboardingStatus(row, now) !== 'COMPLETED';
  return row.succeeded === null;
}

async function withoutDocuments(
  { db, keys }: Needs,
  rows: readonly StandingRow[],
  applications: readonly Asked[],
): Promise<StandingRow[]> {
  const tenantIds = new Set(rows.flatMap(({ tenant_id }) => (tenant_id === null ? [] : [tenant_id])));
  const documents = await findGivenBy(db, [...tenantIds]);
  const given = documents.length > 0 ? await withGlances({ db, keys }, documents) : [];
  const requests = await listRequestsOf(db, idsOf(rows));
  const wanted = await listWanted(db, [...new Set(applications.map(({ landlord_id }) => landlord_id))]);
  const asked = new Map(applications.map((one) => [one.id, one]));
  return rows.filter((row) => {
    const { api_key_id, landlord_id } = asked.get(row.application_id) ?? {};
    const own = given.filter((one) => one.tenant_id === row.tenant_id && one.api_key_id === api_key_id);
    const list = wanted.find(({ id }) => id === landlord_id);
    const wantedNow = wantedOf(list ?? NO_LISTS, { isGuarantor: row.is_guarantor === 1 }, list?.language ?? null);
    const states = wantedStates(wantedNow, own);
    const open = requests.filter((one) => one.participant_id === row.id && isRequestOpen(one, own));
    return open.length > 0 || !hasWanted(states, own.length);
  });
}

export const outcomes = ['tampered', 'suspicious', 'inconclusive', 'no_finding'] as const;
export type Outcome = (typeof outcomes)[number];

/** A person whose newest analysis has an outcome. */
export interface AnalysedPerson {
  applicationId: string;
  /** The id of the analysis. */
  resourceId: string;
  of: { tenant_id: string; api_key_id: string };
}

/** Finds the people whose newest completed analysis has an outcome: that of its gravest document. */
export async function findWithOutcome(
  parts: Needs,
  outcome: Outcome,
  applications: readonly Asked[],
): Promise<AnalysedPerson[]> {
  const rows = await listStandings(parts.db, idsOf(applications), 'analysis');
  const runIds = rows.flatMap(({ succeeded }) => (succeeded === null ? [] : [succeeded]));
  const results = runIds.length > 0 ? await findResults(parts.db, runIds) : [];
  const outcomeOf = new Map(results.map(({ id, result }) => [id, gravestIn(result, parts)]));
  const keyOf = new Map(applications.map(({ id, api_key_id }) => [id, api_key_id]));
  return rows.flatMap(({ application_id, tenant_id, succeeded }) => {
    const api_key_id = keyOf.get(application_id);
    if (!tenant_id || !succeeded || !api_key_id || outcomeOf.get(succeeded) !== outcome) return [];
    return [{ applicationId: application_id, resourceId: succeeded, of: { tenant_id, api_key_id } }];
  });
}

function gravestIn(result: string, { keys }: Pick<Needs, 'keys'>): Outcome | undefined {
  const documents = openAnalysis(result, keys)?.analysis?.documents;
  return gravestFirst(documents ?? [])[0]?.document.outcome;
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
