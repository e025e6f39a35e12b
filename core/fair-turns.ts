import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { currentParty, currentWaits } from './correlation.ts';
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
};
type Resource = keyof typeof refusals;

/** Ends a turn. */
export type End = () => void;

/** What a turn counts at least, because beginning it costs something, too. */
const MIN_TURN_MS = 1;
/** How many parties, and persons of each party, are remembered while they have no turns. */
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
 *    began last, so that idle parties accumulate no credit.
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
    const { waits } = this.#limits;
    const share = this.#shareOf(party);
    if (share.turnsWaiting === 0 && share.hasRoom()) {
      begin(this.#start(share));
      return;
    }
    // The end of another party's turn begins this one, which must not get that party and its id.
    const inContext = AsyncLocalStorage.snapshot();
    const beginLater = () => inContext(begin, this.#start(share));
    if (waits === undefined) share.enter(beginLater, this.#now());
    else if (share.turnsOfPartyWaiting() >= waits.maxWaiting) {
      refusals[waits.at]++;
      refuse(new Overloaded());
    } else {
      const waitsOfCaller = currentWaits();
      const stopWaiting = () => {
        clearTimeout(timer);
        waitsOfCaller?.delete(leave);
      };
      const beginWaiting = () => {
        stopWaiting();
        beginLater();
      };
      const leave = () => {
        stopWaiting();
        share.leave(beginWaiting);
        inContext(refuse, new Overloaded());
      };
      // In two halves: if the process was stopped for longer than the whole, the first to wait still gets a turn.
      let timer = setTimeout(() => {
        timer = setTimeout(() => {
          refusals[waits.at]++;
          leave();
        }, waits.waitMs / 2);
      }, waits.waitMs / 2);
      waitsOfCaller?.add(leave);
      share.enter(beginWaiting, this.#now());
    }
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

/** Lets work take turns, except duties of the service itself. */
export function sharedTurns(limits: TurnLimits): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const turns = new FairTurns(limits);
  return (work) => {
    const party = currentParty();
    return party === SERVICE ? work() : turns.run(work, party);
  };
}

/** The part of the turns that all parties have, or one party, or one person of it: a tree of three levels. */
class Share {
  readonly #limit: number;
  readonly #parent: Share | undefined;
  readonly #children = new Map<string, Share>();
  readonly #waitingChildren = new Set<Share>();
  readonly #maxIdle: number;
  #idleAfter: number;
  #running = 0;
  /** In milliseconds of turns, on the clock of the parent. */
  #served: number;
  /** How much the child whose turn began last had been served. */
  #clock = 0;
  /** When its last turn began, or when it began to wait after that. */
  #unservedSince = 0;
  /** How many turns wait here and below. */
  turnsWaiting = 0;
  /** The turns of a person, first come, first served. */
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number, parent: Share | undefined) {
    this.#limit = limit;
    this.#parent = parent;
    this.#served = parent === undefined ? 0 : parent.#clock;
    this.#maxIdle = parent === undefined ? MAX_IDLE : MAX_IDLE_PERSONS;
    this.#idleAfter = this.#maxIdle;
  }

  child(name: string, limit: number): Share {
    const known = this.#children.get(name);
    if (known) return known;
    if (this.#children.size >= this.#idleAfter) this.#forgetIdle();
    const child = new Share(limit, this);
    this.#children.set(name, child);
    return child;
  }

  /** Not at each creation, so that many busy children cost no more than few. */
  #forgetIdle(): void {
    for (const [name, child] of this.#children)
      if (child.#running === 0 && child.turnsWaiting === 0) this.#children.delete(name);
    this.#idleAfter = 2 * this.#children.size + this.#maxIdle;
  }

  /** Whether another turn may begin here and in everything around it. */
  hasRoom(): boolean {
    if (this.#running >= this.#limit) return false;
    const parent = this.#parent;
    return parent === undefined || (parent.hasRoom() && !(this.#running > 0 && parent.#isLastReserved()));
  }

  /** Only the place for all parties has turns to reserve: a person may use up the turns of their party. */
  #isLastReserved(): boolean {
    return this.#parent === undefined && this.#limit > 1 && this.#running === this.#limit - 1;
  }

  start(at: number): void {
    this.#running++;
    this.#unservedSince = at;
    const parent = this.#parent;
    if (parent === undefined) return;
    if (this.#served > parent.#clock) parent.#clock = this.#served;
    this.#served += MIN_TURN_MS;
    parent.start(at);
  }

  end(lastedMs: number): void {
    this.#running--;
    this.#served += Math.max(0, lastedMs - MIN_TURN_MS);
    this.#parent?.end(lastedMs);
  }

  turnsOfPartyWaiting(): number {
    return this.#parent === undefined ? 0 : this.#parent.turnsWaiting;
  }

  enter(begin: () => void, at: number): void {
    this.#waiting.push(begin);
    this.#countWaiting(1, at);
  }

  leave(begin: () => void): void {
    const place = this.#waiting.indexOf(begin);
    if (place < 0) return;
    this.#waiting.splice(place, 1);
    this.#countWaiting(-1);
  }

  #countWaiting(change: 1 | -1, at = 0): void {
    const parent = this.#parent;
    if (parent && this.turnsWaiting === 0) {
      this.#served = Math.max(this.#served, parent.#clock);
      this.#unservedSince = at;
      parent.#waitingChildren.add(this);
    }
    this.turnsWaiting += change;
    if (!parent) return;
    if (this.turnsWaiting === 0) parent.#waitingChildren.delete(this);
    parent.#countWaiting(change, at);
  }

  /** Removes the first that waits. */
  leaveFirst(): (() => void) | undefined {
    const first = this.#waiting.shift();
    if (first) this.#countWaiting(-1);
    return first;
  }

  /**
   * @param overdue who has had no turn since then comes first
   * @returns the person whose turn is next; undefined while each one that waits is at a limit
   */
  next(overdue: number): Share | undefined {
    if (!this.hasRoom()) return undefined;
    if (this.#waiting.length > 0) return this;
    let [found, first]: [Share | undefined, Share | undefined] = [undefined, undefined];
    for (const child of this.#waitingChildren) {
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
