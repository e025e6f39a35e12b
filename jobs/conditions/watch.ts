import type { Condition } from '../../core/conditions/condition.ts';
import { notChecked, unknown } from '../../core/conditions/observation.ts';
import { type ConditionId, conditionIds, conditionOf } from '../../core/conditions/table.ts';
import type { Clock } from '../../core/time.ts';
import { inOrder, type Looking, look, type Observed, type Sight, withRemedy } from './look.ts';

type Way = Condition['seen'];

/** For how long observations count as fresh: asking a party outside costs it something. */
const FRESH_MS: Record<Way, number> = { database: 5_000, machine: 15_000, settings: 60_000, provider: 60_000 };
/** The same while something is amiss, so that its end is seen soon. */
const AMISS_MS = 10_000;
const WAYS: readonly Way[] = ['settings', 'machine', 'database', 'provider'];
/** No one waits for a round to end, so that a slow database leaves none of its conditions out. */
const INSIDE_MS = 45_000;
/** Beyond its freshness, an observation is used for this long. */
const STALE_MS = 60_000;

interface Round {
  at: number;
  observed: Map<ConditionId, Observed>;
}

export interface Asked {
  /** How long to wait for observations that are not fresh. */
  waitMs: number;
  /** Other limits of freshness. */
  freshMs?: Partial<Record<Way, number>>;
}

/**
 * The conditions as this process sees them, checked on demand: at most once in the time that each stays fresh, however many
 * ask, and never waited for longer than the caller wants.
 */
export class ConditionWatch {
  readonly #sight: () => Sight;
  readonly #looking: Looking;
  readonly #now: Clock;
  readonly #rounds = new Map<Way, Round>();
  readonly #running = new Map<Way, Promise<void>>();
  /** When each condition was known last. */
  readonly #knownAt = new Map<ConditionId, Date>();

  constructor(sight: () => Sight, looking: Looking, now: Clock) {
    this.#sight = sight;
    this.#looking = { insideMs: INSIDE_MS, ...looking };
    this.#now = now;
  }

  /** @returns every condition, in the order of the table */
  async current({ waitMs, freshMs = {} }: Asked): Promise<Observed[]> {
    const refreshing = WAYS.flatMap((way) => {
      const round = this.#rounds.get(way);
      const isFresh = round && performance.now() - round.at <= (freshMs[way] ?? freshFor(way, round));
      return isFresh ? [] : [this.#refresh(way)];
    });
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMs);
    await Promise.race([Promise.all(refreshing), late]);
    clearTimeout(timer);
    return conditionIds.map((id) => this.#latest(id));
  }

  #latest(id: ConditionId): Observed {
    const way = conditionOf(id).seen;
    const round = this.#rounds.get(way);
    const observed = round?.observed.get(id);
    if (!round || !observed) return withRemedy(id, notChecked('It is being checked.', 'Look again in a few seconds.'));
    if (performance.now() - round.at <= FRESH_MS[way] + STALE_MS) return observed;
    return withRemedy(id, { ...unknown('It could not be checked in time.'), since: this.#sinceOf(id) });
  }

  #refresh(way: Way): Promise<void> {
    const running = this.#running.get(way);
    if (running) return running;
    const started = look(this.#sight(), [way], this.#looking)
      .then((seen) => {
        const observed = new Map(inOrder(seen).map((one) => [one.condition, this.#noted(one)]));
        this.#rounds.set(way, { at: performance.now(), observed });
      })
      .finally(() => this.#running.delete(way));
    this.#running.set(way, started);
    return started;
  }

  #noted(observed: Observed): Observed {
    const isKnown = observed.state !== 'unknown' && observed.state !== 'not checked';
    if (isKnown) this.#knownAt.set(observed.condition, this.#now());
    return observed.state === 'unknown' ? { ...observed, since: this.#sinceOf(observed.condition) } : observed;
  }

  /** Since it was known last; since now when it never was. */
  #sinceOf(id: ConditionId): Date {
    const since = this.#knownAt.get(id) ?? this.#now();
    this.#knownAt.set(id, since);
    return since;
  }
}

function freshFor(way: Way, { observed }: Round): number {
  const isWell = [...observed.values()].every(({ state }) => state === 'ok' || state === 'warning');
  return isWell ? FRESH_MS[way] : Math.min(FRESH_MS[way], AMISS_MS);
}
