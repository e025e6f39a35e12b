import {
  hasWanted,
  isRequestOpen,
  type Step,
  type StepState,
  type WantedState,
  wantedStates,
} from '../../core/rules/progress.ts';
import { wantedOf } from '../../core/rules/wanted-documents.ts';
import { flowToken } from '../../core/secrets/secrets.ts';
import { findWishesOfKey } from '../../db/access/landlord-settings.ts';
import { type DocumentRequestRow, listDocumentRequests } from '../../db/applications/document-requests.ts';
import type { Invited } from '../../db/applications/invited.ts';
import { findTenantByIdOrEmail } from '../../db/applications/tenants.ts';
import { findGiven } from '../../db/documents/documents.ts';
import { findLatestRun } from '../../db/documents/forensic-runs.ts';
import { type FlowRow, listFlowsOfKey } from '../../db/identity/flows.ts';
import { type SeenRow, withGlances } from '../documents/glances.ts';
import type { Runtime } from '../runtime.ts';

/** A verification that the landlord's software started, as the person sees it. */
export interface CheckProgress {
  status: string;
  /** Why it did not succeed, in words for the person. */
  reason: string | null;
  /** The token of its page, while the person may continue there. */
  token: string | null;
}

/** What one person has done in one application, and what is open, from every table that knows. */
export interface Progress {
  steps: Step[];
  /** What they uploaded for the API key, oldest first, and what it shows at first sight. */
  documents: SeenRow[];
  /** How many documents they handed in, with the statements of their bank. */
  handed: number;
  /** Whether a statement of their bank is among them. */
  isFromBank: boolean;
  wanted: WantedState[];
  /** What the landlord still asks for. */
  requests: DocumentRequestRow[];
  kyc: CheckProgress | undefined;
  eid: CheckProgress | undefined;
  /** The status of the newest analysis of their documents. */
  analysis: string | undefined;
}

export type Person = Pick<Invited, 'apiKeyId' | 'email' | 'consent' | 'isGuarantor'> & {
  brand: Pick<Invited['brand'], 'language'>;
  participantId: string;
  hasProfile: boolean;
};

/** @param place decides which steps there are: behind an onboarding link, the answer belongs to the profile */
export async function findProgress(
  { db, keys, now }: Pick<Runtime, 'db' | 'keys' | 'now'>,
  person: Person,
  place: 'invitation' | 'onboarding',
): Promise<Progress> {
  // Together: on a busy database, each round trip is a wait.
  const [tenant, wishes, asked] = await Promise.all([
    findTenantByIdOrEmail(db, person.email),
    findWishesOfKey(db, person.apiKeyId),
    listDocumentRequests(db, person.participantId),
  ]);
  const of = tenant && { tenant_id: tenant.id, api_key_id: person.apiKeyId };
  const token = (kind: 'kyc' | 'eid') => (row: FlowRow) => flowToken(kind, row.id, keys.encryption);
  const check = async (kind: 'kyc' | 'eid') => of && checkIn(await listFlowsOfKey(db, kind, of), token(kind), now());
  const [given, kyc, eid, run] = await Promise.all([
    of ? findGiven(db, of).then((rows) => withGlances({ db, keys }, rows)) : [],
    check('kyc'),
    check('eid'),
    of && findLatestRun(db, of),
  ]);
  const analysis = run?.status;
  const documents = given.filter(({ source }) => source === 'applicant');
  const handed = given.filter(({ source }) => source === 'applicant' || source === 'bank').length;
  const isFromBank = given.some(({ source }) => source === 'bank');
  const wanted = wantedStates(wantedOf(wishes, person, person.brand.language), given);
  const requests = asked.filter((request) => isRequestOpen(request, given));
  const hasAnswered = person.consent === 'accepted';
  const state = (isDone: boolean): StepState => (isDone ? 'done' : 'open');
  const isEnough = hasWanted(wanted, given.length) && requests.length === 0;
  const steps: Step[] = [
    ...(place === 'invitation' ? [{ name: 'answer' as const, state: state(hasAnswered) }] : []),
    { name: 'profile', state: state(hasAnswered && person.hasProfile) },
    { name: 'documents', state: state(hasAnswered && isEnough) },
    ...(hasAnswered && kyc ? [{ name: 'kyc' as const, state: states[kyc.status] ?? 'ended' }] : []),
    ...(hasAnswered && eid ? [{ name: 'eid' as const, state: states[eid.status] ?? 'ended' }] : []),
    ...(hasAnswered && analysis ? [{ name: 'analysis' as const, state: states[analysis] ?? 'ended' }] : []),
  ];
  return { steps, documents, handed, isFromBank, wanted, requests, kyc, eid, analysis };
}

const states: Record<string, StepState> = {
  waiting: 'open',
  pending: 'running',
  downloading: 'running',
  processing: 'running',
  verified: 'done',
  succeeded: 'done',
  completed: 'done',
};

/** A success counts, whatever came after it; else the newest. */
function checkIn(rows: readonly FlowRow[], tokenOf: (row: FlowRow) => string, now: Date): CheckProgress | undefined {
  const row = rows.find(({ status }) => status === 'verified' || status === 'succeeded') ?? rows[0];
  if (!row) return undefined;
  const isOpen = row.status === 'pending' && row.expires_at > now.toISOString();
  const status = row.status !== 'pending' ? row.status : !isOpen ? 'expired' : row.agreed_at ? 'pending' : 'waiting';
  return { status, reason: status === 'rejected' ? row.failure : null, token: isOpen ? tokenOf(row) : null };
}
