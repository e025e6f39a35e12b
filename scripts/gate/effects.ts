/** The effect of a change on the values that a place admits. */
export type Effect =
  /** Fewer values: callers may send less, or read less. */
  | 'narrowed'
  /** More values: callers may send more, or have to read more. */
  | 'widened'
  /** Different values, not just more or fewer. */
  | 'changed'
  /** An addition that callers may ignore. */
  | 'added';

export interface Difference {
  effect: Effect;
  /** Follows the pointer of the place in a sentence: `was 255, is 100`. */
  what: string;
}

type Compare = (before: unknown, after: unknown) => Difference[];

const show = (value: unknown) => JSON.stringify(value);
const same = (before: unknown, after: unknown) => show(before) === show(after);

function describe(before: unknown, after: unknown): string {
  if (before === undefined) return `is new: ${show(after)}`;
  return after === undefined ? `is gone, was ${show(before)}` : `was ${show(before)}, is ${show(after)}`;
}

const differs =
  (effect: (before: unknown, after: unknown) => Effect): Compare =>
  (before, after) =>
    same(before, after) ? [] : [{ effect: effect(before, after), what: describe(before, after) }];

/** The default rule: a difference without a rule counts as a break. */
export const changed = differs(() => 'changed');

/** A keyword that excludes values when present: `format`, `pattern`. */
export const constraint = differs((before, after) => {
  if (before === undefined) return 'narrowed';
  return after === undefined ? 'widened' : 'changed';
});

export const type = differs((before, after) => {
  if (before === undefined || (before === 'number' && after === 'integer')) return 'narrowed';
  return after === undefined || (before === 'integer' && after === 'number') ? 'widened' : 'changed';
});

/** `additionalProperties` where not both sides are schemas. */
export const openness = differs((before, after) => {
  if (before === false || after === true) return 'widened';
  return after === false || before === true ? 'narrowed' : 'changed';
});

const number = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise);

export const upperBound = differs((before, after) =>
  number(after, Number.POSITIVE_INFINITY) < number(before, Number.POSITIVE_INFINITY) ? 'narrowed' : 'widened',
);

export const lowerBound = differs((before, after) =>
  number(after, Number.NEGATIVE_INFINITY) > number(before, Number.NEGATIVE_INFINITY) ? 'narrowed' : 'widened',
);

/** A switch that is off by default. */
const flag =
  (on: Effect, off: Effect): Compare =>
  (before, after) =>
    Boolean(before) === Boolean(after)
      ? []
      : [{ effect: after ? on : off, what: after ? 'is now true' : 'is now false' }];

export const nullable = flag('widened', 'narrowed');
/** `required` of a parameter, a header or a body, and `uniqueItems`. */
export const demand = flag('narrowed', 'widened');

function lists(gained: Effect, lost: Effect): Compare {
  return (before, after) => {
    const [old, now] = [before, after].map((value) => (Array.isArray(value) ? value.map(show) : []));
    return [
      ...(now ?? []).filter((item) => !old?.includes(item)).map((item) => ({ effect: gained, what: `gained ${item}` })),
      ...(old ?? []).filter((item) => !now?.includes(item)).map((item) => ({ effect: lost, what: `lost ${item}` })),
    ];
  };
}

/** The names of the required properties. */
export const requiredNames = lists('narrowed', 'widened');
const values = lists('widened', 'narrowed');

export const enumeration: Compare = (before, after) =>
  before === undefined || after === undefined ? constraint(before, after) : values(before, after);
