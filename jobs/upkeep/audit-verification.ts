import { newId } from '../../core/ids.ts';
import type { ChainFault, ChainHead } from '../../core/rules/audit-chain.ts';
import { isoAfter } from '../../core/time.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import { archivedHead } from '../../db/audit/audit-archives.ts';
import { chainHead } from '../../db/audit/audit-chain.ts';
import { beginVerification, findVerification, noteVerification } from '../../db/audit/audit-verifications.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';
import type { Witnessed } from './audit-witnesses.ts';
import { type AuditVerdict, chainAudit } from './chain-audit.ts';
import { verifyAudit } from './verify-audit.ts';

/** Before verifying. An entry that cannot be placed stays unplaced; verifying finds out why. @returns how many entries are to be verified */
export async function chainWaiting(runtime: Pick<Runtime, 'db'>): Promise<number> {
  await chainAudit(runtime).catch(() => 0);
  return (await chainHead(runtime.db)).position - (await archivedHead(runtime.db)).position;
}

export function auditHolds({ fault, displaced }: AuditVerdict): boolean {
  return fault === undefined && displaced === 0;
}

export function verdictText({ fault, displaced }: AuditVerdict): string {
  if (fault) return `The audit log does not hold: ${faultText(fault)}.`;
  return displaced > 0
    ? 'The audit log does not hold: entries have lost their place in the chain.'
    : 'The audit log holds: every entry is as it was when it got its place.';
}

/** A clause about the first place that does not fit. */
export function faultText({ reason, position }: ChainFault): string {
  return words[reason](position);
}

const words: Record<ChainFault['reason'], (position: number) => string> = {
  missing: (position) => `the entry at position ${position} is missing`,
  changed: (position) => `the entry at position ${position}, or its place, was changed`,
  cut: (position) => `its end was cut off, from position ${position} on`,
  rewritten: (position) => `it was rewritten up to position ${position}, whose hash is not the one that was kept`,
  forged: () =>
    'the head that is kept for it has no seal of ENCRYPTION_KEY: it was changed, or a key is missing in FORMER_ENCRYPTION_KEYS',
  unsealed: (position) =>
    `the archive up to position ${position} has no seal of ENCRYPTION_KEY: it was forged, or made before archives were sealed; verify its file, then run audit keep-head`,
};

/** A verification in the background of the console, in any process. */
export interface Verification {
  by: string;
  startedAt: string;
  done: number;
  total: number;
  /** Undefined while it is running. */
  endedAt: string | undefined;
  /** Undefined while it is running, and when it did not reach the end. */
  verdict: AuditVerdict | undefined;
  /** The process that verified is gone. */
  isAbandoned: boolean;
}

const NOTED_EVERY_MS = 1_000;
/** Longer than a process is ever busy, or without its database. */
const ABANDONED_MS = 60_000;

/** The latest verification that any process began. */
export async function lastVerification({ db, now }: Pick<Runtime, 'db' | 'now'>): Promise<Verification | undefined> {
  const row = await findVerification(db);
  if (!row) return undefined;
  const { started_by: by, started_at: startedAt, seen_at, done, total, ended_at, verdict } = row;
  const isAbandoned = ended_at === null && seen_at < isoAfter(now(), -ABANDONED_MS);
  const endedAt = ended_at ?? undefined;
  return {
    by,
    startedAt,
    done,
    total,
    endedAt,
    verdict: verdict === null ? undefined : JSON.parse(verdict),
    isAbandoned,
  };
}

type Verifying = Witnessed & Pick<Runtime, 'log'>;

/** Verifies behind a page; one verification at a time in all processes. */
export class AuditVerifier {
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  /** @returns false while another is running in any process; the caller does not wait for the end */
  async start(runtime: Verifying, kept: ChainHead | undefined, by: Actor): Promise<boolean> {
    const { db, now } = runtime;
    const [id, moment] = [newId(), now()];
    const begun = await inTransaction(db, async (trx) => {
      const first = { id, started_by: by.id, started_at: moment.toISOString() };
      const isFree = await beginVerification(trx, first, isoAfter(moment, -ABANDONED_MS));
      if (isFree) await recordAudit(trx, by, 'database.verify-audit', 'audit_entries', moment);
      return isFree;
    });
    if (!begun) return false;
    const running = verify(runtime, id, kept, this.#stopping.signal).catch((err) =>
      runtime.log.warn({ err }, 'audit log verification interrupted'),
    );
    this.#running.add(running);
    running.finally(() => this.#running.delete(running));
    return true;
  }

  /** Ends the running verification, so that another process may begin at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }
}

/** Records the progress, until the verification has ended or another verification replaced it. */
async function verify(
  runtime: Verifying,
  id: string,
  kept: ChainHead | undefined,
  stopping: AbortSignal,
): Promise<void> {
  const { db, now } = runtime;
  const progress = { done: 0, total: 0 };
  const over = new AbortController();
  const note = async () => {
    const isOurs = await noteVerification(db, id, { ...progress, seen_at: now().toISOString() });
    if (!isOurs) over.abort(new Error('Another verification took its place.'));
  };
  // A note that fails is followed by the next.
  const timer = setInterval(() => void note().catch(() => {}), NOTED_EVERY_MS);
  let verdict: AuditVerdict | undefined;
  try {
    progress.total = await chainWaiting(runtime);
    verdict = await verifyAudit(runtime, kept && [kept], (done) => {
      stopping.throwIfAborted();
      over.signal.throwIfAborted();
      progress.done = done;
    });
  } finally {
    clearInterval(timer);
    const ended_at = now().toISOString();
    await noteVerification(db, id, { ...progress, ended_at, verdict: verdict ? JSON.stringify(verdict) : null });
  }
}
