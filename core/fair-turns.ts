import { performance } from 'node:perf_hooks';
import { callerContext, currentParty, currentWaits } from './correlation.ts';
import { Overloaded } from './errors.ts';
import { type Party, SERVICE } from './party.ts';

/** The limits of a resource, such as the connections of a pool. */
export interface TurnLimits {
  /** How many turns may be under way. */
  atOnce: number;
  /** How many of them one party may have, and how many of those one person of it: half of them by default. */
  ofOneParty: number;
  ofOnePerson?: number;
  /** Where callers wait: how many turns of one party may wait, and how long. Longer waits are refused. */
  waits?: { at: Resource; maxWaiting: number; waitMs: number };
}

/** Resources at which turns are refused, and how often that happened in this process. */
export const refusals = {
  requests: 0,
  connections: 0,
  transactions: 0,
  reads: 0,
  scans: 0,
  inspections: 0,
  copies: 0,
  calls: 0,
  mails: 0,
};
type Resource = keyof typeof refusals;

/** Ends a turn. */
export type End = () => void;

/** What a turn counts at least, because beginning it costs something, too. */
const MIN_TURN_MS = 1;
/** How many parties, and persons of each party, are remembered at a busy resource while they have no turns. */
const [MAX_IDLE, MAX_IDLE_PERSONS] = [1_000, 100];

/**
 * Gives parties turns at a resource of which there is not enough for all, so that no party keeps the others from it. Every "who waits for
 * whom" of the service is decided here:
 * 1. A turn begins immediately while the resource is free, its party and person are below their limits, and none of the person's turns
 *    waits. The last free turn is reserved for a party that has none.
 * 2. Otherwise it waits behind the person's earlier turns. It is refused if too many turns of its party wait, if it waits too long, or once
 *    its caller has disconnected or the process ends.
 * 3. A place that becomes free goes to the waiting party that was served least, in milliseconds of turns; within the party, to the person
 *    that was served least (start-time fair queueing). A party that begins to wait counts as served at least as much as the party whose turn
 *    began last, so that idle parties accumulate no credit. Once nothing is under way, all count as served equally.
 * 4. Where callers wait, a party, and a person of it, that has had no turn for half of that time comes first, because milliseconds of turns
 *    say nothing about the time between them: on a slow machine, who had one long turn would otherwise be refused before the next.
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #now: () => number;
  /** How long a party may wait without a turn before it comes first. */
  readonly #patienceMs: number;
  readonly #all: Share;
  #isStarting = false;

  /** @param now in milliseconds */
  constructor(limits: TurnLimits, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#patienceMs = limits.waits === undefined ? Number.POSITIVE_INFINITY : limits.waits.waitMs / 2;
    this.#all = new Share(limits.atOnce, undefined);
  }

  /** @throws Overloaded when refused */
  async run<Result>(work: () => Promise<Result>, party = currentParty()): Promise<Result> {
    const end = this.begin(party) ?? (await this.wait(party));
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** @returns undefined when the turn would have to wait */
  begin(party = currentParty()): End | undefined {
    const share = this.#shareOf(party);
    return share.turnsWaiting === 0 && share.hasRoom() ? this.#start(share) : undefined;
  }

  /** Waits for a turn. @throws Overloaded when refused */
  wait(party = currentParty()): Promise<End> {
    const { promise, resolve, reject } = Promise.withResolvers<End>();
    this.ask(party, resolve, reject);
    return promise;
  }

  /** Calls back, in the context of the caller, when the turn begins, which may be at once, or when it is refused. */
  ask(party: Party, begin: (end: End) => void, refuse: (error: Overloaded) => void = () => {}): void {
    const end = this.begin(party);
    if (end) {
      begin(end);
      return;
    }
    const { waits } = this.#limits;
    const share = this.#shareOf(party);
    if (waits && share.parent && share.parent.turnsWaiting >= waits.maxWaiting) {
      refusals[waits.at]++;
      refuse(new Overloaded());
      return;
    }
    // The end of another party's turn begins this one, which must not get that party and its id.
    const inContext = callerContext();
    const waitsOfCaller = waits && currentWaits();
    const stopWaiting = () => {
      clearTimeout(timer);
      waitsOfCaller?.delete(leave);
    };
    const beginWaiting = () => {
      stopWaiting();
      inContext(begin, this.#start(share));
    };
    const leave = () => {
      stopWaiting();
      share.leave(beginWaiting);
      inContext(refuse, new Overloaded());
    };
    const afterHalf = (next: () => void) => waits && setTimeout(next, waits.waitMs / 2);
    const refuseLate = () => {
      if (waits) refusals[waits.at]++;
      leave();
    };
    // In two halves: if the process was stopped for longer than the whole, the first to wait still gets a turn.
    let timer = afterHalf(() => {
      timer = afterHalf(refuseLate);
    });
    waitsOfCaller?.add(leave);
    share.enter(beginWaiting, this.#now());
  }

  hasWaiters(): boolean {
    return this.#all.turnsWaiting > 0;
  }

  #shareOf({ name, person }: Party): Share {
    const { ofOneParty, ofOnePerson = Math.ceil(ofOneParty / 2) } = this.#limits;
    const ofParty = this.#all.child(name, ofOneParty);
    return ofParty.child(person ?? '', person === undefined ? ofOneParty : ofOnePerson);
  }

  #start(share: Share): End {
    const startedAt = this.#now();
    let isEnded = false;
    share.start(startedAt);
    return () => {
      if (isEnded) return;
      isEnded = true;
      share.end(this.#now() - startedAt);
      this.#startNext();
    };
  }

  /** A turn that ends as soon as it begins is followed by the next one in the same loop, not deeper in the stack. */
  #startNext(): void {
    if (this.#isStarting || this.#all.turnsWaiting === 0) return;
    this.#isStarting = true;
    try {
      const next = () => this.#all.next(this.#now() - this.#patienceMs);
      for (let share = next(); share; share = next()) share.leaveFirst()?.();
    } finally {
      this.#isStarting = false;
    }
  }
}

/** Lets work take turns, except duties of the service itself. @param person instead of the person of the caller's party */
export function sharedTurns(limits: TurnLimits) {
  const turns = new FairTurns(limits);
  return <Result>(work: () => Promise<Result>, person?: string): Promise<Result> => {
    const party = currentParty();
    if (party === SERVICE) return work();
    return turns.run(work, person === undefined ? party : { name: party.name, person });
  };
}

/** The part of the turns that all parties have, or one party, or one person of it: a tree of three levels. */
class Share {
  readonly #limit: number;
  readonly #name: string;
  readonly parent: Share | undefined;
  /** Those with turns, and some that had turns since this one was idle. Absent where nothing needs them: most shares are idle. */
  #children: Map<string, Share> | undefined;
  #waitingChildren: Set<Share> | undefined;
  /** The turns of a person, first come, first served. */
  #waiting: Set<() => void> | undefined;
  #running = 0;
  /** In milliseconds of turns, on the clock of the parent. */
  #served: number;
  /** How much the child whose turn began last had been served. */
  #clock = 0;
  /** When its last turn began, or when it began to wait after that. */
  #unservedSince = 0;
  /** How many turns wait here and below. */
  turnsWaiting = 0;

  constructor(limit: number, name = '', parent?: Share) {
    this.#limit = limit;
    this.#name = name;
    this.parent = parent;
    this.#served = parent === undefined ? 0 : parent.#clock;
  }

  child(name: string, limit: number): Share {
    return this.#children?.get(name) ?? new Share(limit, name, this);
  }

  #remember(child: Share): void {
    this.#children ??= new Map();
    this.#children.set(child.#name, child);
  }

  /** What has no turns any more forgets how much its parts were served, and is forgotten itself when there are many like it. */
  #rest(): void {
    if (this.#running > 0 || this.turnsWaiting > 0) return;
    this.#children = undefined;
    this.#waitingChildren = undefined;
    this.#waiting = undefined;
    const parent = this.parent;
    if (!parent) return;
    const max = parent.parent === undefined ? MAX_IDLE : MAX_IDLE_PERSONS;
    if (parent.#children && parent.#children.size > max) parent.#children.delete(this.#name);
    parent.#rest();
  }

  /** Whether another turn may begin here and in everything around it. */
  hasRoom(): boolean {
    if (this.#running >= this.#limit) return false;
    const parent = this.parent;
    return parent === undefined || (parent.hasRoom() && !(this.#running > 0 && parent.#isLastReserved()));
  }

  /** Only the place for all parties has turns to reserve: a person may use up the turns of their party. */
  #isLastReserved(): boolean {
    return this.parent === undefined && this.#limit > 1 && this.#running === this.#limit - 1;
  }

  start(at: number): void {
    this.#running++;
    this.#unservedSince = at;
    const parent = this.parent;
    if (parent === undefined) return;
    parent.#remember(this);
    if (this.#served > parent.#clock) parent.#clock = this.#served;
    this.#served += MIN_TURN_MS;
    parent.start(at);
  }

  end(lastedMs: number): void {
    for (let share: Share | undefined = this; share; share = share.parent) {
      share.#running--;
      share.#served += Math.max(0, lastedMs - MIN_TURN_MS);
    }
    this.#rest();
  }

  enter(begin: () => void, at: number): void {
    this.#waiting ??= new Set();
    this.#waiting.add(begin);
    this.#countWaiting(1, at);
  }

  leave(begin: () => void): void {
    if (!this.#waiting?.delete(begin)) return;
    this.#countWaiting(-1);
    this.#rest();
  }

  #countWaiting(change: 1 | -1, at = 0): void {
    const parent = this.parent;
    if (parent && this.turnsWaiting === 0) {
      this.#served = Math.max(this.#served, parent.#clock);
      this.#unservedSince = at;
      parent.#remember(this);
      parent.#waitingChildren ??= new Set();
      parent.#waitingChildren.add(this);
    }
    this.turnsWaiting += change;
    if (!parent) return;
    if (this.turnsWaiting === 0) parent.#waitingChildren?.delete(this);
    parent.#countWaiting(change, at);
  }

  /** Removes the first that waits, whose turn begins. */
  leaveFirst(): (() => void) | undefined {
    const [first] = this.#waiting ?? [];
    if (first && this.#waiting?.delete(first)) this.#countWaiting(-1);
    return first;
  }

  /**
   * @param overdue who has had no turn since then comes first
   * @returns the person whose turn is next; undefined while each one that waits is at a limit
   */
  next(overdue: number): Share | undefined {
    if (!this.hasRoom()) return undefined;
    if (this.#waiting?.size) return this;
    let [found, first]: [Share | undefined, Share | undefined] = [undefined, undefined];
    for (const child of this.#waitingChildren ?? []) {
      if (first && !child.#comesBefore(first, overdue)) continue;
      const person = child.next(overdue);
      if (person) [found, first] = [person, child];
    }
    return found;
  }

  #comesBefore(other: Share, overdue: number): boolean {
    const [isOverdue, isOtherOverdue] = [this.#unservedSince <= overdue, other.#unservedSince <= overdue];
    if (isOverdue && isOtherOverdue) return this.#unservedSince < other.#unservedSince;
    return isOverdue === isOtherOverdue ? this.#served < other.#served : isOverdue;
  }
}
