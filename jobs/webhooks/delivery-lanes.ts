import { type Booked, putOffMs } from '../queue/put-off.ts';

/** Attempts younger than this hold one of the places; older ones count as slow and hold none. */
const YOUNG_MS = 1_000;
const PLACES = 128;
/** The share of all endpoints whose last attempt was not a prompt success: a bulkhead. */
const DOUBTFUL_PLACES = PLACES / 2;
/** The places reserved for them even when the others could fill all; new endpoints start among them. */
const LEAST_DOUBTFUL_PLACES = PLACES / 8;
/** Limit of running attempts in all: each has a socket. */
const MOST_UNDER_WAY = 2_000;

/** The window of an endpoint, its limit of concurrent attempts: additive increase by 1, decrease by SHRINKING. */
const FIRST_WINDOW = 4;
const LARGEST_WINDOW = 64;
const SHRINKING = 4;

/** How many deliveries may wait in a lane; in a failing one, per attempt of its window. The rest is put off. */
const MOST_IN_A_LANE = 500;
const WAITING_PER_WINDOW = 16;
const MOST_WAITING = 4_000;
const MOST_DOUBTFUL_WAITING = MOST_WAITING / 2;
/** The assumed duration of an attempt at a new endpoint. */
const FIRST_GUESS_MS = 100;
const MOST_LANES = 10_000;

/** How an attempt ended; `nothing` when none was made. */
export type Ending = 'success' | 'failure' | 'nothing';
type Kind = 'trusted' | 'doubtful';

/** The deliveries of one endpoint. */
interface Lane<Task> extends Booked {
  waiting: Task[];
  underWay: number;
  /** Trusted while its last attempt was a prompt success. */
  kind: Kind;
  isInLine: boolean;
}

/**
 * Schedules deliveries so that endpoints that hang or fail do not slow the others:
 * 1. Each endpoint has a lane, and lanes take turns.
 * 2. The window of a lane grows with each success and shrinks with each failure, down to one (as AIMD does).
 * 3. An attempt that lasts longer than a second gives up its place.
 * 4. Lanes whose last attempt was not a prompt success share half of the places (a bulkhead); the other half is reserved for
 *    the rest.
 */
export class DeliveryLanes<Task> {
  readonly #start: (task: Task) => Promise<Ending>;
  readonly #putOff: (task: Task, delayMs: number) => void;
  readonly #lanes = new Map<string, Lane<Task>>();
  /** Lanes that may start an attempt, in turn. */
  readonly #line: Record<Kind, Lane<Task>[]> = { trusted: [], doubtful: [] };
  readonly #waiting: Record<Kind, number> = { trusted: 0, doubtful: 0 };
  readonly #young: Record<Kind, number> = { trusted: 0, doubtful: 0 };
  #underWay = 0;

  /**
   * @param start makes an attempt and resolves when it has ended
   * @param putOff takes a delivery for which there is no room, to be added again after `delayMs`
   */
  constructor(start: (task: Task) => Promise<Ending>, putOff: (task: Task, delayMs: number) => void) {
    this.#start = start;
    this.#putOff = putOff;
  }

  add(endpoint: string, task: Task): void {
    const lane = this.#laneOf(endpoint);
    if (!this.#hasRoom(lane)) {
      this.#putOff(task, putOffMs(lane));
      return;
    }
    lane.waiting.push(task);
    this.#waiting[lane.kind]++;
    this.#standInLine(lane);
    this.#startWhatMay();
  }

  /** Removes the waiting deliveries that are asked for. */
  remove(isAskedFor: (task: Task) => boolean): Task[] {
    const removed: Task[] = [];
    for (const lane of this.#lanes.values()) {
      const { asked = [], left = [] } = Object.groupBy(lane.waiting, (task) => (isAskedFor(task) ? 'asked' : 'left'));
      lane.waiting = left;
      this.#waiting[lane.kind] -= asked.length;
      removed.push(...asked);
    }
    return removed;
  }

  #laneOf(endpoint: string): Lane<Task> {
    const known = this.#lanes.get(endpoint);
    if (known) return known;
    if (this.#lanes.size >= MOST_LANES) this.#forgetAnIdleLane();
    const fresh = { window: FIRST_WINDOW, kind: 'doubtful' as const, typicalMs: FIRST_GUESS_MS };
    const lane: Lane<Task> = { ...fresh, waiting: [], underWay: 0, isInLine: false, bookedUntil: 0 };
    this.#lanes.set(endpoint, lane);
    return lane;
  }

  #forgetAnIdleLane(): void {
    for (const [endpoint, { underWay, waiting }] of this.#lanes)
      if (underWay === 0 && waiting.length === 0) {
        this.#lanes.delete(endpoint);
        return;
      }
  }

  #hasRoom(lane: Lane<Task>): boolean {
    // Long queues of others must not keep out an endpoint that has none.
    if (lane.waiting.length === 0) return true;
    const { trusted, doubtful } = this.#waiting;
    if (trusted + doubtful >= MOST_WAITING) return false;
    if (lane.kind === 'doubtful' && doubtful >= MOST_DOUBTFUL_WAITING) return false;
    return lane.waiting.length < room(lane);
  }

  #standInLine(lane: Lane<Task>): void {
    if (lane.isInLine || !mayBegin(lane)) return;
    lane.isInLine = true;
    this.#line[lane.kind].push(lane);
  }

  /** A lane whose kind changed while it stood in line joins the other line. */
  #nextOf(kind: Kind): Lane<Task> | undefined {
    for (let lane = this.#line[kind].shift(); lane; lane = this.#line[kind].shift()) {
      lane.isInLine = false;
      if (lane.kind === kind && mayBegin(lane)) return lane;
      this.#standInLine(lane);
    }
    return undefined;
  }

  #next(): Lane<Task> | undefined {
    const { trusted, doubtful } = this.#young;
    if (trusted + doubtful >= PLACES || this.#underWay >= MOST_UNDER_WAY) return undefined;
    if (doubtful < LEAST_DOUBTFUL_PLACES) return this.#nextOf('doubtful') ?? this.#nextOf('trusted');
    return this.#nextOf('trusted') ?? (doubtful < DOUBTFUL_PLACES ? this.#nextOf('doubtful') : undefined);
  }

  #startWhatMay(): void {
    for (let lane = this.#next(); lane; lane = this.#next()) {
      const task = lane.waiting.shift();
      if (task === undefined) continue;
      this.#waiting[lane.kind]--;
      // Bookings made while the lane was slower no longer apply.
      if (lane.waiting.length === 0) lane.bookedUntil = 0;
      this.#begin(lane, task);
      this.#standInLine(lane);
    }
  }

  #begin(lane: Lane<Task>, task: Task): void {
    const { kind } = lane;
    const startedAt = performance.now();
    let isYoung = true;
    const age = () => {
      if (isYoung) this.#young[kind]--;
      isYoung = false;
    };
    this.#young[kind]++;
    this.#underWay++;
    lane.underWay++;
    const aging = setTimeout(() => {
      age();
      this.#setKind(lane, 'doubtful');
      this.#startWhatMay();
    }, YOUNG_MS);
    const end = (ending: Ending) => {
      clearTimeout(aging);
      this.#learn(lane, ending, { isPrompt: isYoung, lastedMs: performance.now() - startedAt });
      age();
      this.#underWay--;
      lane.underWay--;
      this.#standInLine(lane);
      this.#startWhatMay();
    };
    this.#start(task).then(end, () => end('nothing'));
  }

  #learn(lane: Lane<Task>, ending: Ending, { isPrompt, lastedMs }: { isPrompt: boolean; lastedMs: number }): void {
    if (ending === 'nothing') return;
    lane.typicalMs += (lastedMs - lane.typicalMs) / 8;
    this.#setKind(lane, ending === 'success' && isPrompt ? 'trusted' : 'doubtful');
    if (ending === 'success') lane.window = Math.min(lane.window + 1, LARGEST_WINDOW);
    else this.#shrink(lane);
  }

  /** Deliveries that no longer fit are put off. */
  #shrink(lane: Lane<Task>): void {
    lane.window = Math.max(lane.window - SHRINKING, 1);
    const surplus = lane.waiting.splice(room(lane));
    this.#waiting[lane.kind] -= surplus.length;
    for (const task of surplus) this.#putOff(task, putOffMs(lane));
  }

  #setKind(lane: Lane<Task>, kind: Kind): void {
    this.#waiting[lane.kind] -= lane.waiting.length;
    this.#waiting[kind] += lane.waiting.length;
    lane.kind = kind;
  }
}

function mayBegin(lane: Lane<unknown>): boolean {
  return lane.waiting.length > 0 && lane.underWay < lane.window;
}

function room({ window }: Lane<unknown>): number {
  return window < FIRST_WINDOW ? window * WAITING_PER_WINDOW : MOST_IN_A_LANE;
}
