import { type End, FairTurns } from '../core/fair-turns.ts';
import type { Ending, LanePolicy, Place } from './lane-policy.ts';

/** How many tasks may wait in a lane by default; when its window is smaller than initially, this many per window. */
const MAX_LANE_LENGTH = 500;
const WAITING_PER_WINDOW = 16;
/** The shortest and longest delay of postponed tasks. */
const MIN_DELAY_MS = 1_000;
const MAX_DELAY_MS = 300_000;
/** The assumed duration of a task in a new lane. */
const FIRST_GUESS_MS = 100;
const MAX_LANES = 10_000;
/** The part of the waiting tasks that one party may have. */
const PARTY_SHARE = 1 / 2;

interface Lane<Task> extends Place {
  waiting: Task[];
  inFlight: number;
  /** How many of them the window limits. */
  inWindow: number;
  /** How many of the waiting tasks have asked for a slot. */
  asked: number;
  isDoubtful: boolean;
  window: number;
  /** Moving average of the duration of its tasks. */
  typicalMs: number;
  /** Until when postponed tasks will need the window. */
  bookedUntil: number;
}

/**
 * Lets the lanes of all parties take turns at a limited number of slots, so that neither a party nor a lane that is long, hangs or fails
 * delays the others:
 * 1. A task waits in its lane, or is postponed when the lane or its party has no room. A lane with nothing waiting always has room.
 * 2. A lane asks for a slot for each waiting task that its window allows. `FairTurns` decides whose turn it is: first among the parties,
 *    then among the lanes of the party.
 * 3. A lane learns from how its tasks end: its window, whether it is doubtful, and how long a task takes.
 */
export class Lanes<Task> {
  readonly #policy: LanePolicy;
  readonly #start: (task: Task) => Promise<Ending>;
  readonly #postpone: (task: Task, delayMs: number) => void;
  readonly #now: () => number;
  readonly #lanes = new Map<string, Lane<Task>>();
  readonly #slots: FairTurns;
  readonly #doubtfulSlots: FairTurns;
  readonly #sockets: FairTurns | undefined;
  readonly #waitingOf = new Map<string, number>();
  #waiting = 0;
  #doubtfulWaiting = 0;

  /**
   * @param start resolves when the task has ended
   * @param postpone receives a task for which there is no room, to be added again after `delayMs`
   * @param now in milliseconds
   */
  constructor(
    policy: LanePolicy,
    start: (task: Task) => Promise<Ending>,
    postpone: (task: Task, delayMs: number) => void,
    now = () => performance.now(),
  ) {
    this.#policy = policy;
    this.#start = start;
    this.#postpone = postpone;
    this.#now = now;
    this.#slots = new FairTurns(policy.slots, now);
    this.#doubtfulSlots = policy.doubtful ? new FairTurns(policy.doubtful.slots, now) : this.#slots;
    this.#sockets = policy.inFlight && new FairTurns(policy.inFlight, now);
  }

  add(place: Place, task: Task): void {
    const lane = this.#laneOf(place);
    if (!this.#hasRoom(lane)) {
      this.#postpone(task, delayMs(lane));
      return;
    }
    lane.waiting.push(task);
    this.#countWaiting(lane, 1);
    this.#askForSlots(lane);
  }

  /** Removes the waiting tasks. */
  clear(): Task[] {
    return [...this.#lanes.values()].flatMap((lane) => this.#remove(lane, 0));
  }

  #laneOf(place: Place): Lane<Task> {
    const key = keyOf(place);
    const known = this.#lanes.get(key);
    if (known) return known;
    if (this.#lanes.size >= MAX_LANES) {
      const idle = this.#lanes.entries().find(([, { inFlight, waiting }]) => inFlight + waiting.length === 0);
      if (idle) this.#lanes.delete(idle[0]);
    }
    const lane = {
      ...{ party: place.party, lane: place.lane },
      waiting: [],
      inFlight: 0,
      inWindow: 0,
      asked: 0,
      isDoubtful: this.#policy.doubtful !== undefined,
      window: this.#policy.window.initial,
      typicalMs: FIRST_GUESS_MS,
      bookedUntil: 0,
    };
    this.#lanes.set(key, lane);
    return lane;
  }

  #hasRoom(lane: Lane<Task>): boolean {
    // Long lanes must not shut out a lane with nothing waiting.
    if (lane.waiting.length === 0) return true;
    const { maxWaiting, doubtful } = this.#policy;
    if (this.#waiting >= maxWaiting) return false;
    if (doubtful && lane.isDoubtful && this.#doubtfulWaiting >= doubtful.maxWaiting) return false;
    if ((this.#waitingOf.get(lane.party.name) ?? 0) >= maxWaiting * PARTY_SHARE) return false;
    return lane.waiting.length < this.#room(lane);
  }

  #room({ window }: Lane<Task>): number {
    const {
      window: { initial },
      maxLaneLength = MAX_LANE_LENGTH,
    } = this.#policy;
    return window < initial ? window * WAITING_PER_WINDOW : maxLaneLength;
  }

  /** @param asked how many tasks will start before */
  #mayStart({ window, inWindow, inFlight }: Lane<Task>, asked: number): boolean {
    const { maxInLane = Number.POSITIVE_INFINITY } = this.#policy;
    return inWindow + asked < window && inFlight + asked < maxInLane;
  }

  #countWaiting({ party, isDoubtful }: Lane<Task>, change: number): void {
    this.#waiting += change;
    if (isDoubtful) this.#doubtfulWaiting += change;
    const ofParty = (this.#waitingOf.get(party.name) ?? 0) + change;
    if (ofParty > 0) this.#waitingOf.set(party.name, ofParty);
    else this.#waitingOf.delete(party.name);
  }

  /** Removes the tasks behind the first `left`. */
  #remove(lane: Lane<Task>, left: number): Task[] {
    const removed = lane.waiting.splice(left);
    this.#countWaiting(lane, -removed.length);
    return removed;
  }

  #setDoubtful(lane: Lane<Task>, isDoubtful: boolean): void {
    if (!this.#policy.doubtful || lane.isDoubtful === isDoubtful) return;
    lane.isDoubtful = isDoubtful;
    this.#doubtfulWaiting += isDoubtful ? lane.waiting.length : -lane.waiting.length;
  }

  #askForSlots(lane: Lane<Task>): void {
    while (lane.asked < lane.waiting.length && this.#mayStart(lane, lane.asked)) {
      lane.asked++;
      const who = { name: lane.party.name, person: lane.lane };
      const askForSlot = (releaseSocket: End) =>
        (lane.isDoubtful ? this.#doubtfulSlots : this.#slots).ask(who, (releaseSlot) =>
          this.#startNext(lane, releaseSlot, releaseSocket),
        );
      if (this.#sockets) this.#sockets.ask(who, askForSlot);
      else askForSlot(() => {});
    }
  }

  #startNext(lane: Lane<Task>, releaseSlot: End, releaseSocket: End): void {
    lane.asked--;
    // The window may have shrunk, or the tasks been removed, while the lane waited for the slot.
    const task = this.#mayStart(lane, 0) ? lane.waiting.shift() : undefined;
    if (task !== undefined) {
      this.#countWaiting(lane, -1);
      // Bookings made while the lane was slower no longer apply.
      if (lane.waiting.length === 0) lane.bookedUntil = 0;
      this.#run(lane, task, releaseSlot, releaseSocket);
    } else {
      releaseSlot();
      releaseSocket();
    }
  }

  #run(lane: Lane<Task>, task: Task, releaseSlot: End, releaseSocket: End): void {
    const startedAt = this.#now();
    let isPrompt = true;
    const { slowAfterMs, maxInLane } = this.#policy;
    lane.inFlight++;
    lane.inWindow++;
    const becomeSlow = () => {
      isPrompt = false;
      this.#setDoubtful(lane, true);
      releaseSlot();
      if (maxInLane === undefined) return;
      lane.inWindow--;
      this.#askForSlots(lane);
    };
    const slowTimer = slowAfterMs === undefined ? undefined : setTimeout(becomeSlow, slowAfterMs);
    const end = (ending: Ending) => {
      clearTimeout(slowTimer);
      lane.inFlight--;
      if (isPrompt || maxInLane === undefined) lane.inWindow--;
      if (ending !== 'nothing') {
        this.#setDoubtful(lane, !(ending === 'success' && isPrompt));
        this.#adapt(lane, ending, this.#now() - startedAt);
      }
      this.#askForSlots(lane);
      if (isPrompt) releaseSlot();
      releaseSocket();
      this.#forgetIfNew(lane);
    };
    this.#start(task).then(end, () => end('nothing'));
  }

  /**
   * An idle lane that is like a new one says nothing that is worth its memory, but how long its tasks take: there may be one of each key, and
   * keys come and go. Lanes that have learned more stay, up to `MAX_LANES`.
   */
  #forgetIfNew(lane: Lane<Task>): void {
    const { window, doubtful } = this.#policy;
    const isIdle = lane.inFlight + lane.waiting.length + lane.asked === 0;
    if (!isIdle || lane.window !== window.initial || lane.isDoubtful !== (doubtful !== undefined)) return;
    this.#lanes.delete(keyOf(lane));
  }

  /** Postpones tasks for which a smaller window has no room. */
  #adapt(lane: Lane<Task>, ending: Ending, lastedMs: number): void {
    const { max, grown, shrunk } = this.#policy.window;
    lane.typicalMs += (lastedMs - lane.typicalMs) / 8;
    const window = ending === 'success' ? grown(lane.window) : shrunk(lane.window);
    lane.window = Math.min(Math.max(window, 1), max);
    for (const task of this.#remove(lane, this.#room(lane))) this.#postpone(task, delayMs(lane));
  }
}

function keyOf({ party, lane }: Place): string {
  return `${party.name} ${lane}`;
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
