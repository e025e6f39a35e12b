/** How many tasks may wait in a lane; when its window is smaller than initially, this many per window. */
const MAX_LANE_LENGTH = 500;
const WAITING_PER_WINDOW = 16;
/** The shortest and longest delay of postponed tasks. */
const MIN_DELAY_MS = 1_000;
const MAX_DELAY_MS = 300_000;
/** The assumed duration of a task in a new lane. */
const FIRST_GUESS_MS = 100;
const MAX_LANES = 10_000;

/** How a task ended; `nothing` does not affect the lane. */
export type Ending = 'success' | 'failure' | 'nothing';

/** A lane stands in one of two lines. */
export type Line = 'preferred' | 'other';

/** The policy of fairness between lanes. */
export interface LanePolicy {
  /** Limit of concurrent tasks in a lane. It grows by 1 with each success and shrinks with each failure, down to 1 (AIMD). */
  window: { initial: number; max: number; decrease: number };
  /** How many tasks may wait in all lanes, and in the lanes of the other line. */
  maxWaiting: number;
  maxOtherWaiting?: number;
  /** A task that lasts longer releases its slot. */
  slowAfterMs?: number;
  /** The line of a lane. @param isPrompt whether its last task was a success within `slowAfterMs` */
  lineOf(lane: { inFlight: number; isPrompt: boolean }): Line;
  /** The lines that may start a task, in order. @param slots how many are taken, by the line that the task came from */
  next(slots: Readonly<Record<Line, number>>, inFlight: number): readonly Line[];
}

interface Lane<Task> {
  waiting: Task[];
  inFlight: number;
  line: Line;
  isPrompt: boolean;
  window: number;
  /** Moving average of the duration of its tasks. */
  typicalMs: number;
  /** Until when postponed tasks will need the window. */
  bookedUntil: number;
}

/**
 * Lets lanes take turns at a limited number of slots, so that a long, hanging or failing lane does not delay the others:
 * 1. A task waits in its lane, or is postponed when the lane has no room. A lane with nothing waiting always has room.
 * 2. A lane that may start a task stands in a line. The policy decides which line, and which line is next.
 * 3. A lane learns from how its tasks end: its window, its line, and how long a task takes.
 */
export class Lanes<Task> {
  readonly #policy: LanePolicy;
  readonly #start: (task: Task) => Promise<Ending>;
  readonly #postpone: (task: Task, delayMs: number) => void;
  readonly #lanes = new Map<string, Lane<Task>>();
  readonly #lines: Record<Line, Set<Lane<Task>>> = { preferred: new Set(), other: new Set() };
  readonly #waiting: Record<Line, number> = { preferred: 0, other: 0 };
  readonly #slots: Record<Line, number> = { preferred: 0, other: 0 };
  #inFlight = 0;

  /**
   * @param start resolves when the task has ended
   * @param postpone receives a task for which there is no room, to be added again after `delayMs`
   */
  constructor(
    policy: LanePolicy,
    start: (task: Task) => Promise<Ending>,
    postpone: (task: Task, delayMs: number) => void,
  ) {
    this.#policy = policy;
    this.#start = start;
    this.#postpone = postpone;
  }

  add(name: string, task: Task): void {
    const lane = this.#laneOf(name);
    if (!this.#hasRoom(lane)) {
      this.#postpone(task, delayMs(lane));
      return;
    }
    lane.waiting.push(task);
    this.#waiting[lane.line]++;
    this.#schedule(lane);
  }

  /** Removes the waiting tasks. */
  clear(): Task[] {
    return [...this.#lanes.values()].flatMap((lane) => {
      const removed = lane.waiting.splice(0);
      this.#waiting[lane.line] -= removed.length;
      this.#updateLine(lane);
      return removed;
    });
  }

  #laneOf(name: string): Lane<Task> {
    const known = this.#lanes.get(name);
    if (known) return known;
    if (this.#lanes.size >= MAX_LANES) {
      const idle = this.#lanes.entries().find(([, { inFlight, waiting }]) => inFlight + waiting.length === 0);
      if (idle) this.#lanes.delete(idle[0]);
    }
    const fresh = { inFlight: 0, isPrompt: false };
    const { window, lineOf } = this.#policy;
    const lane = {
      ...fresh,
      waiting: [],
      line: lineOf(fresh),
      window: window.initial,
      typicalMs: FIRST_GUESS_MS,
      bookedUntil: 0,
    };
    this.#lanes.set(name, lane);
    return lane;
  }

  #hasRoom(lane: Lane<Task>): boolean {
    // Long lanes must not shut out a lane with nothing waiting.
    if (lane.waiting.length === 0) return true;
    const { preferred, other } = this.#waiting;
    const { maxWaiting, maxOtherWaiting = maxWaiting } = this.#policy;
    if (preferred + other >= maxWaiting) return false;
    if (lane.line === 'other' && other >= maxOtherWaiting) return false;
    return lane.waiting.length < this.#room(lane);
  }

  #room({ window }: Lane<Task>): number {
    return window < this.#policy.window.initial ? window * WAITING_PER_WINDOW : MAX_LANE_LENGTH;
  }

  /** A lane keeps its position unless its line changes. */
  #updateLine(lane: Lane<Task>): void {
    const line = this.#policy.lineOf(lane);
    if (line !== lane.line) {
      this.#lines[lane.line].delete(lane);
      this.#waiting[lane.line] -= lane.waiting.length;
      this.#waiting[line] += lane.waiting.length;
      lane.line = line;
    }
    if (lane.waiting.length > 0 && lane.inFlight < lane.window) this.#lines[line].add(lane);
    else this.#lines[line].delete(lane);
  }

  #nextLane(): Lane<Task> | undefined {
    for (const line of this.#policy.next(this.#slots, this.#inFlight))
      for (const lane of this.#lines[line]) return lane;
    return undefined;
  }

  /** Starts the tasks that may start after a change in a lane. */
  #schedule(changed: Lane<Task>): void {
    this.#updateLine(changed);
    for (let lane = this.#nextLane(); lane; lane = this.#nextLane()) {
      this.#lines[lane.line].delete(lane);
      const task = lane.waiting.shift();
      if (task === undefined) continue;
      this.#waiting[lane.line]--;
      // Bookings made while the lane was slower no longer apply.
      if (lane.waiting.length === 0) lane.bookedUntil = 0;
      this.#begin(lane, task);
      this.#updateLine(lane);
    }
  }

  #begin(lane: Lane<Task>, task: Task): void {
    const { line } = lane;
    const startedAt = performance.now();
    let hasSlot = true;
    const releaseSlot = () => {
      if (hasSlot) this.#slots[line]--;
      hasSlot = false;
    };
    this.#slots[line]++;
    this.#inFlight++;
    lane.inFlight++;
    const becomeSlow = () => {
      releaseSlot();
      lane.isPrompt = false;
      this.#schedule(lane);
    };
    const { slowAfterMs } = this.#policy;
    const slowTimer = slowAfterMs === undefined ? undefined : setTimeout(becomeSlow, slowAfterMs);
    const end = (ending: Ending) => {
      clearTimeout(slowTimer);
      if (ending !== 'nothing') {
        lane.isPrompt = ending === 'success' && hasSlot;
        this.#adapt(lane, ending, performance.now() - startedAt);
      }
      releaseSlot();
      this.#inFlight--;
      lane.inFlight--;
      this.#schedule(lane);
    };
    this.#start(task).then(end, () => end('nothing'));
  }

  /** Postpones tasks for which a smaller window has no room. */
  #adapt(lane: Lane<Task>, ending: Ending, lastedMs: number): void {
    const { max, decrease } = this.#policy.window;
    lane.typicalMs += (lastedMs - lane.typicalMs) / 8;
    lane.window = ending === 'success' ? Math.min(lane.window + 1, max) : Math.max(lane.window - decrease, 1);
    const surplus = lane.waiting.splice(this.#room(lane));
    this.#waiting[lane.line] -= surplus.length;
    for (const task of surplus) this.#postpone(task, delayMs(lane));
  }
}

/** Estimates in how many milliseconds the lane will have room, and books it. A long queue returns spread over minutes. */
function delayMs(lane: Lane<unknown>): number {
  const now = Date.now();
  const each = lane.typicalMs / lane.window;
  const earliest = now + Math.max(MIN_DELAY_MS, lane.waiting.length * each);
  lane.bookedUntil = Math.min(Math.max(earliest, lane.bookedUntil) + each, now + MAX_DELAY_MS);
  const delay = lane.bookedUntil - now;
  return Math.round(delay < MAX_DELAY_MS ? delay : MAX_DELAY_MS * (0.5 + Math.random() / 2));
}
