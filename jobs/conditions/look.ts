import { setTimeout as wait } from 'node:timers/promises';
import type { Condition } from '../../core/conditions/condition.ts';
import { notChecked, type Observation, problem, unknown } from '../../core/conditions/observation.ts';
import { type ConditionId, conditionIds, conditionOf, type SeenIn } from '../../core/conditions/table.ts';

/** Looks at one condition. What it throws makes the condition a problem, with the error as the sentence. */
export type Observer = () => Promise<Observation>;

/** By condition. Observers of one subject are a part of it. */
export type Observers = Record<ConditionId, Observer>;

type Inside = Exclude<SeenIn<'database'>, 'database' | 'encoding'>;

/** Every condition has an observer: the compiler names one that is missing. */
export interface Sight {
  /** Independent of each other, and of the database. */
  outside: Pick<Observers, Exclude<ConditionId, SeenIn<'database'>>>;
  /** Decides whether the conditions inside can be checked. */
  database: Observer;
  /** Looked at unless `database` is a problem: a database in another encoding never gets a schema. */
  encoding: Observer;
  inside: () => Pick<Observers, Inside>;
}

/** What was seen of a condition, with what to do. */
export interface Observed extends Observation {
  condition: ConditionId;
}

/** How long one condition may take. */
export const ANSWER_MS = 5_000;
/** How long some may take instead: each ends before that. */
const PATIENCE_MS: Partial<Record<ConditionId, number>> = { address: 12_000 };
/** How long the conditions inside the database may take together, for a caller who waits for their answers. */
const INSIDE_MS = 10_000;

export interface Looking {
  /** Turns an error into a sentence. */
  explain(error: unknown): string;
  /** How long to wait for some conditions. */
  patienceMs?: Partial<Record<ConditionId, number>>;
  /** How long the conditions inside the database may take together. */
  insideMs?: number;
  /** Receives each observation as it is made. */
  seen?: (observed: Observed) => void;
}

/**
 * Looks at conditions:
 * 1. Those outside the database concurrently, each with its own deadline.
 * 2. Meanwhile the database, then those inside it in sequence, on one connection, within a time of their own.
 * Nothing is left out: what could not be checked is said to be not checked.
 */
export async function look(sight: Sight, ways: readonly Condition['seen'][], looking: Looking): Promise<Observed[]> {
  const isWanted = (id: string) => conditionIds.some((one) => one === id && ways.includes(conditionOf(one).seen));
  const outside = entriesOf(sight.outside)
    .filter(([id]) => isWanted(id))
    .map(([id, observe]) => lookAt(id, observe, looking));
  const inside = isWanted('database') ? lookInside(sight, looking) : Promise.resolve([]);
  return (await Promise.all([...outside, inside])).flat();
}

async function lookInside(sight: Sight, looking: Looking): Promise<Observed[]> {
  const until = performance.now() + (looking.insideMs ?? INSIDE_MS);
  const database = await lookAt('database', sight.database, looking);
  const isSilent = database.state === 'problem';
  const seen = [database, await lookAt('encoding', isSilent ? unfit : sight.encoding, looking)];
  const observers: Partial<Observers> = database.state === 'ok' ? sight.inside() : {};
  for (const id of INSIDE) {
    const isLate = performance.now() >= until;
    seen.push(await lookAt(id, (isLate ? late : observers[id]) ?? unfit, looking));
  }
  return seen;
}

const FIRST: readonly ConditionId[] = ['database', 'encoding'];
const INSIDE = conditionIds.filter((id) => conditionOf(id).seen === 'database' && !FIRST.includes(id));

const unfit: Observer = async () => notChecked('It is in the database: that is not well itself.', AGAIN);
const late: Observer = async () =>
  notChecked('No time was left: the database is slow.', 'Look again. If it stays, look for what slows the database.');
export const AGAIN = 'First mend the database.';

/** Looks at one condition, and gives up after its time. */
async function lookAt(
  condition: ConditionId,
  observe: Observer,
  { explain, patienceMs = {}, seen }: Looking,
): Promise<Observed> {
  const limitMs = patienceMs[condition] ?? PATIENCE_MS[condition] ?? ANSWER_MS;
  const giveUp = new AbortController();
  const late = wait(limitMs, silence(condition, limitMs), { signal: giveUp.signal });
  late.catch(() => {});
  const observation = await Promise.race([observe(), late]).catch((error) => ({
    state: 'problem' as const,
    found: explain(error),
  }));
  giveUp.abort();
  const observed = withRemedy(condition, observation);
  seen?.(observed);
  return observed;
}

/** The silence of the database or of a party outside is what the condition is about; any other says only that it could not be seen. */
function silence(condition: ConditionId, limitMs: number): Observation {
  const found = `No answer within ${limitMs / 1000} s.`;
  const isItsSubject = condition === 'database' || conditionOf(condition).seen === 'provider';
  return isItsSubject ? problem(found) : unknown(found);
}

/** A condition that is not well has a remedy: its own, unless the finding has a better one. */
export function withRemedy(condition: ConditionId, observation: Observation): Observed {
  if (observation.state === 'ok') return { condition, ...observation };
  return { condition, ...observation, advice: observation.advice ?? conditionOf(condition).remedy };
}

function entriesOf(observers: Partial<Observers>): [ConditionId, Observer][] {
  return conditionIds.flatMap((id) => {
    const observe = observers[id];
    return observe ? [[id, observe] satisfies [ConditionId, Observer]] : [];
  });
}

/** In the order of the table. */
export function inOrder(observed: readonly Observed[]): Observed[] {
  return observed.toSorted((a, b) => conditionIds.indexOf(a.condition) - conditionIds.indexOf(b.condition));
}
