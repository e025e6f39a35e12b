import type { Response } from 'express';
import { contentDigest } from '../../core/content-digest.ts';
import { uncorrelated } from '../../core/correlation.ts';
import { NotFound } from '../../core/errors.ts';
import { lastingSessions } from '../../db/access/sign-in.ts';
import type { Runtime } from '../../jobs/runtime.ts';

/** Browsers open six connections per HTTP/1.1 host; some must stay free. */
const MAX_PER_ACCOUNT = 3;
/** The streams' share of the listener's 100 connections, which also serve probes and scrapes. */
const MAX_STREAMS = 30;
const LOOK_EVERY_MS = 5_000;
/** The delay after an event in this process. */
const SOON_MS = 500;
/** Polling takes a fifth of the time at most, however slow the database is. */
const SHARE = 4;
/** Heartbeat: proxies close idle connections. */
const HEARTBEAT_MS = 15_000;
/** The browser then reconnects and passes the guard again. */
const LIFETIME_MS = 15 * 60_000;
const RECONNECT_MS = 3_000;
const MAX_UNSENT_BYTES = 16 * 1024;

interface Stream {
  res: Response;
  accountId: string;
  /** The digest of the session's token. */
  session: string;
  openedAt: number;
  spokeAt: number;
  /** The state that the browser has. */
  sentState: string | undefined;
}

interface Watched {
  look: () => Promise<string>;
  streams: Set<Stream>;
}

/** A short digest of what a page shows; a different digest means that the page has changed. */
export function stateText(state: unknown): string {
  return contentDigest(JSON.stringify(state));
}

/**
 * Notifies open pages of changes through server-sent events that carry the name of the new state. One loop per process polls for all of
 * them, once per address:
 * 1. Every five seconds, and soon after a work event, it ends the streams whose sessions are over.
 * 2. It reads the current state of each address and notifies the streams with another state.
 * 3. It ends streams that are old, or whose browser has stopped reading.
 */
export class LivePages {
  readonly #runtime: Pick<Runtime, 'db' | 'now' | 'log'>;
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #plannedAt = Number.POSITIVE_INFINITY;
  #isAskedAgain = false;
  #restUntil = 0;
  #isClosed = false;

  constructor(runtime: Pick<Runtime, 'db' | 'now' | 'log' | 'work'>) {
    this.#runtime = runtime;
    const soon = () => this.#plan(SOON_MS);
    for (const event of ['claimed', 'completed', 'failed', 'delivery attempted', 'document analysed'] as const)
      runtime.work.on(event, soon);
  }

  /** Whether another stream of the account may be opened. */
  hasRoom(accountId: string): boolean {
    const open = this.#streams();
    const theirs = open.filter((stream) => stream.accountId === accountId);
    return !this.#isClosed && open.length < MAX_STREAMS && theirs.length < MAX_PER_ACCOUNT;
  }

  /**
   * @param look returns the current state of the address, as `stateText`; throws NotFound once it is gone @param state the state that the
   * page shows
   */
  open(
    res: Response,
    who: Pick<Stream, 'accountId' | 'session'>,
    { address, look, state }: { address: string; look: Watched['look']; state: string },
  ): void {
    // It left while the page was read: its `close` is over, and nothing would end the stream.
    if (res.destroyed) return;
    const openedAt = performance.now();
    const stream: Stream = { res, ...who, openedAt, spokeAt: openedAt, sentState: undefined };
    const watched = this.#watched.get(address) ?? { look, streams: new Set() };
    this.#watched.set(address, watched);
    watched.streams.add(stream);
    res.once('close', () => {
      watched.streams.delete(stream);
      if (watched.streams.size === 0 && this.#watched.get(address) === watched) this.#watched.delete(address);
    });
    res.set('X-Accel-Buffering', 'no').type('text/event-stream');
    say(stream, `retry: ${RECONNECT_MS}\n\n`);
    sendState(stream, state);
    this.#plan(LOOK_EVERY_MS);
  }

  /** Ends all streams. @returns once nothing reads from the database any more */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const { res } of this.#streams()) res.end();
    await this.#round;
  }

  #streams(): Stream[] {
    return [...this.#watched.values()].flatMap(({ streams }) => [...streams]);
  }

  /** The earliest plan wins: frequent events must not postpone a poll. */
  #plan(inMs: number): void {
    if (this.#isClosed || this.#watched.size === 0) return;
    if (this.#round) {
      this.#isAskedAgain ||= inMs === SOON_MS;
      return;
    }
    const now = performance.now();
    const at = Math.max(now + inMs, this.#restUntil);
    if (at >= this.#plannedAt) return;
    clearTimeout(this.#timer);
    this.#plannedAt = at;
    const look = () => {
      this.#plannedAt = Number.POSITIVE_INFINITY;
      this.#round = this.#lookAround();
    };
    // Not for the operator or the job that planned it: other pages would wait for turns of that party.
    this.#timer = uncorrelated(() => setTimeout(look, at - now).unref());
  }

  async #lookAround(): Promise<void> {
    const startedAt = performance.now();
    this.#isAskedAgain = false;
    await this.#trying(() => this.#endSessions());
    for (const watched of this.#watched.values()) if (!this.#isClosed) await this.#trying(() => sendChange(watched));
    for (const stream of this.#streams()) keep(stream);
    const endedAt = performance.now();
    this.#restUntil = endedAt + SHARE * (endedAt - startedAt);
    this.#round = undefined;
    this.#plan(this.#isAskedAgain ? SOON_MS : LOOK_EVERY_MS);
  }

  /** A failure is retried with the next poll; the pages stay as they are until then. */
  async #trying(work: () => Promise<void>): Promise<void> {
    await work().catch((err) => this.#runtime.log.debug({ err }, 'live update of a console page failed'));
  }

  async #endSessions(): Promise<void> {
    const { db, now } = this.#runtime;
    const streams = this.#streams();
    if (streams.length === 0) return;
    const lasting = await lastingSessions(db, 'account_id', [...new Set(streams.map(({ session }) => session))], now());
    for (const stream of streams) if (!lasting.has(stream.session)) end(stream);
  }
}

async function sendChange({ look, streams }: Watched): Promise<void> {
  try {
    const state = await look();
    for (const stream of streams) if (stream.sentState !== state) sendState(stream, state);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    for (const stream of streams) end(stream);
  }
}

function keep(stream: Stream): void {
  const now = performance.now();
  const { res, openedAt, spokeAt } = stream;
  if (res.writableLength > MAX_UNSENT_BYTES) res.destroy();
  else if (now - openedAt >= LIFETIME_MS) res.end();
  else if (now - spokeAt >= HEARTBEAT_MS) say(stream, ':\n\n');
}

function sendState(stream: Stream, state: string): void {
  stream.sentState = state;
  say(stream, `data: ${state}\n\n`);
}

/** The browser reloads the page and so learns why. */
function end(stream: Stream): void {
  say(stream, 'event: over\ndata:\n\n');
  stream.res.end();
}

function say(stream: Stream, text: string): void {
  if (stream.res.writableEnded || stream.res.destroyed) return;
  stream.spokeAt = performance.now();
  stream.res.write(text);
}
