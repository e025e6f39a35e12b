import { type Booked, putOffMs } from './put-off.ts';

const MOST_IN_A_LANE = 500;
const MOST_WAITING = 2_000;
const FIRST_GUESS_MS = 100;

interface Lane<Task> extends Booked {
  waiting: Task[];
  underWay: number;
}

/**
 * Lets lanes take turns at a few places, so that a long lane does not delay the others:
 * 1. A lane with nothing under way goes first.
 * 2. The last free place is kept for such a lane.
 * 3. What a lane has no room for is put off; a lane with nothing waiting always has room.
 */
export class Turns<Task> {
  readonly #places: number;
  readonly #start: (task: Task) => Promise<unknown>;
  readonly #putOff: (task: Task, delayMs: number) => void;
  /** Those with work; the one whose turn was last comes last. */
  readonly #lanes = new Map<string, Lane<Task>>();
  #free: number;
  #waiting = 0;

  /**
   * @param start resolves when the task has ended; it never rejects
   * @param putOff takes a task for which there is no room, to be added again after `delayMs`
   */
  constructor(places: number, start: (task: Task) => Promise<unknown>, putOff: (task: Task, delayMs: number) => void) {
    this.#places = places;
    this.#free = places;
    this.#start = start;
    this.#putOff = putOff;
  }

  add(name: string, task: Task): void {
    const window = Math.max(this.#places - 1, 1);
    const fresh: Lane<Task> = { waiting: [], underWay: 0, window, typicalMs: FIRST_GUESS_MS, bookedUntil: 0 };
    const lane = this.#lanes.get(name) ?? fresh;
    const { length } = lane.waiting;
    if (length > 0 && (length >= MOST_IN_A_LANE || this.#waiting >= MOST_WAITING)) this.#putOff(task, putOffMs(lane));
    else this.#join(name, lane, task);
  }

  #join(name: string, lane: Lane<Task>, task: Task): void {
    this.#lanes.set(name, lane);
    lane.waiting.push(task);
    this.#waiting++;
    this.#startWhatMay();
  }

  /** Removes the waiting tasks that are asked for. */
  remove(isAskedFor: (task: Task) => boolean): Task[] {
    const removed: Task[] = [];
    for (const [name, lane] of this.#lanes) {
      const { asked = [], left = [] } = Object.groupBy(lane.waiting, (task) => (isAskedFor(task) ? 'asked' : 'left'));
      lane.waiting = left;
      if (left.length === 0 && lane.underWay === 0) this.#lanes.delete(name);
      removed.push(...asked);
    }
    this.#waiting -= removed.length;
    return removed;
  }

  #next(): [string, Lane<Task>] | undefined {
    if (this.#free === 0) return undefined;
    const waiting = [...this.#lanes].filter(([, lane]) => lane.waiting.length > 0);
    return waiting.find(([, { underWay }]) => underWay === 0) ?? (this.#free > 1 ? waiting[0] : undefined);
  }

  #startWhatMay(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const [name, lane] = next;
      const task = lane.waiting.shift();
      if (task === undefined) return;
      this.#waiting--;
      this.#begin(name, lane, task);
    }
  }

  #begin(name: string, lane: Lane<Task>, task: Task): void {
    const startedAt = performance.now();
    this.#free--;
    lane.underWay++;
    this.#goToEndOfLine(name, lane);
    const end = () => {
      lane.typicalMs += (performance.now() - startedAt - lane.typicalMs) / 8;
      this.#free++;
      lane.underWay--;
      this.#goToEndOfLine(name, lane);
      this.#startWhatMay();
    };
    this.#start(task).then(end);
  }

  /** Or leaves it, when there is nothing left to do. */
  #goToEndOfLine(name: string, lane: Lane<Task>): void {
    this.#lanes.delete(name);
    if (lane.underWay > 0 || lane.waiting.length > 0) this.#lanes.set(name, lane);
  }
}
