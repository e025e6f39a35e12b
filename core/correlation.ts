import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { type Party, SERVICE } from './party.ts';

/** What everything that a request or job does carries along, however deep in the code. */
export interface Correlation {
  /** For its log lines and jobs. */
  id: string;
  /** The id of the caller's trace, for log lines. */
  traceId?: string | undefined;
  /** For whom it is done. */
  party: Party;
  /** What refuses each of the turns that it waits for. */
  waits?: Set<() => void>;
  /** Waits for a turn of the party at the event loop. @throws Overloaded */
  inTurnOf?(party: Party): Promise<void>;
}

const storage = new AsyncLocalStorage<Correlation>();

export function correlated<T>(correlation: Correlation, work: () => T): T {
  return storage.run(correlation, work);
}

/** Names the party of the current request more closely: its caller has become known. The rest of the request takes a turn of that party. @throws Overloaded */
export async function narrowParty(party: Party): Promise<void> {
  const correlation = storage.getStore();
  if (!correlation) return;
  const { name, person } = correlation.party;
  correlation.party = party;
  if (name !== party.name || person !== party.person) await correlation.inTurnOf?.(party);
}

/** Lets a request continue in a turn of its party after what arrives for many together: their bodies, or the answer to a look-up that they shared. @throws Overloaded */
export async function continueInTurn(): Promise<void> {
  const correlation = storage.getStore();
  await correlation?.inTurnOf?.(correlation.party);
}

/** For whom the current request or job is done. */
export function currentParty(): Party {
  return storage.getStore()?.party ?? SERVICE;
}

/** The current request or job; undefined for the service itself. */
export function currentCorrelation(): Correlation | undefined {
  return storage.getStore();
}

/** What refuses each of the turns that the current request or job waits for; undefined for the service itself. */
export function currentWaits(): Set<() => void> | undefined {
  const correlation = storage.getStore();
  if (!correlation) return undefined;
  correlation.waits ??= new Set();
  return correlation.waits;
}

/** Refuses the turns that a request waits for: its caller has disconnected, or the process ends. */
export function refuseWaits({ waits = new Set() }: Correlation): void {
  for (const refuse of [...waits]) refuse();
}

/** The correlation id of the current request or job, if any. */
export function correlationId(): string | undefined {
  return storage.getStore()?.id;
}

/** The trace id of the current request or job, if its caller traces. */
export function traceId(): string | undefined {
  return storage.getStore()?.traceId;
}

/** W3C Trace Context, section 3.2: version, trace id, span id and flags. Later versions may append more. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/;
const LENGTH = 55;

/**
 * @returns undefined for a header that is missing or invalid; the standard says to ignore the latter
 */
export function traceIdIn(traceparent: string | string[] | undefined): string | undefined {
  if (typeof traceparent !== 'string' || traceparent.length < LENGTH) return undefined;
  if (traceparent.startsWith('00') && traceparent.length > LENGTH) return undefined;
  return TRACEPARENT.exec(traceparent)?.[1];
}

/**
 * @returns what runs work in the context of the present caller, with that of other libraries. `AsyncLocalStorage.snapshot` and `bind` would
 * give a function a prototype for each call, and everything that the function refers to would stay in memory until the next full garbage
 * collection.
 */
export function callerContext(): <Given extends unknown[], Result>(
  work: (...given: Given) => Result,
  ...given: Given
) => Result {
  const caller = new AsyncResource('CallerContext');
  return (work, ...given) => caller.runInAsyncScope(work, undefined, ...given);
}

/** Runs `work` for the service itself: what serves several requests, such as a batch or a timer, belongs to none of them. */
export function uncorrelated<T>(work: () => T): T {
  return storage.exit(work);
}
