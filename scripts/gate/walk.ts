import { isDeepStrictEqual } from 'node:util';
import { type Contract, isNode, membersOf, pointerTo } from './document.ts';
import { changed, type Difference, type Effect } from './effects.ts';

/** Who writes the values of a place: the caller (`input`) or the service (`output`, events included). */
export type Direction = 'input' | 'output';

export interface Change extends Difference {
  /** Where it is written, with references followed. */
  pointer: string;
  /** The operation and the part of it that the change reaches: `createApplication request`. */
  place: string;
  direction: Direction;
}

/** One place in both contracts. */
export interface Step {
  before: unknown;
  after: unknown;
  pointer: string;
  place: string;
  direction: Direction;
  /** The object on either side that holds the place. */
  parents: { before: unknown; after: unknown };
}

export type Rule = (step: Step, walk: Walk) => void;
/** The rule for each key of an object. A key without a rule, unless an extension, must not change. */
export type Kind = Readonly<Record<string, Rule>>;

/** Compares two contracts, following references, and notes what differs. */
export class Walk {
  readonly changes: Change[] = [];
  /** Each name that generated code shows and the wire does not, with its change and the places it affects. */
  readonly names = new Map<string, Set<string>>();
  readonly #before: Contract;
  readonly #after: Contract;
  readonly #seen = new Set<string>();

  constructor(before: Contract, after: Contract) {
    this.#before = before;
    this.#after = after;
  }

  note({ pointer, place, direction }: Step, differences: Difference[]): void {
    for (const difference of differences) this.changes.push({ ...difference, pointer, place, direction });
  }

  /** A name that differs; callers who generate code see it, the wire does not. */
  rename({ place }: Step, kind: string, before: unknown, after: unknown): void {
    if (isDeepStrictEqual(before, after)) return;
    const what =
      before === undefined
        ? `${show(after)} is new`
        : `${show(before)} is ${after === undefined ? 'gone' : `now ${show(after)}`}`;
    const line = `${kind} ${what}`;
    this.names.set(line, (this.names.get(line) ?? new Set()).add(place));
  }

  /** A step into an object on both sides: the references are followed, then each key meets its rule. */
  enter(kind: Kind, step: Step): void {
    const { before, after, pointer } = this.resolved(step);
    this.rename(step, 'schema', schemaName(step.before), schemaName(step.after));
    if (!isNode(before) || !isNode(after)) {
      this.note({ ...step, pointer }, changed(before, after));
      return;
    }
    const seen = [pointer, this.#after.pointerOf(after), step.place, step.direction].join(' ');
    if (this.#seen.has(seen)) return;
    this.#seen.add(seen);
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (key === 'x-enum-varnames') this.rename(step, 'list of constants', before[key], after[key]);
      if (key.startsWith('x-')) continue;
      const rule = kind[key] ?? value(changed);
      const inner = { before: before[key], after: after[key], pointer: pointerTo(pointer, key) };
      rule({ ...step, ...inner, parents: { before, after } }, this);
    }
  }

  resolved(step: Step): Step {
    const before = this.#before.resolve(step.before);
    const after = this.#after.resolve(step.after);
    const pointer = this.#before.pointerOf(before) ?? this.#after.pointerOf(after) ?? step.pointer;
    return { ...step, before, after, pointer };
  }

  /** Lists by what identifies their members, with references followed. */
  keyed(step: Step, keyOf: (member: unknown, index: number) => string): Step {
    const map = (contract: Contract, list: unknown) =>
      Object.fromEntries(
        (Array.isArray(list) ? list : []).map((item, index) => [keyOf(contract.resolve(item), index), item]),
      );
    return { ...step, before: map(this.#before, step.before), after: map(this.#after, step.after) };
  }
}

/** The name by which a reference refers to a schema. */
function schemaName(value: unknown): string | undefined {
  const [, name] = isNode(value) ? (/^#\/components\/schemas\/([^/]+)$/.exec(String(value['$ref'])) ?? []) : [];
  return name;
}

function show(name: unknown): string {
  return `\`${Array.isArray(name) ? name.join(', ') : name}\``;
}

/** No effect on the wire, but on names in generated code. */
export function naming(kind: string): Rule {
  return (step, walk) => walk.rename(step, kind, step.before, step.after);
}

/** No effect on the wire: prose, examples, definitions reached by reference. */
export const prose: Rule = () => {};

export function value(compare: (before: unknown, after: unknown) => Difference[]): Rule {
  return (step, walk) => walk.note(step, compare(step.before, step.after));
}

/** How additions and removals count, and the rules inside a member. */
export interface Membership {
  added?: (member: unknown, key: string) => Effect;
  removed?: Effect;
  inside?: (step: Step, key: string) => Partial<Step>;
}

/** An object of a kind, which may come or go. */
export function child(kind: () => Kind, { added = () => 'added', removed = 'changed' }: Membership = {}): Rule {
  return (step, walk) => {
    const inner = walk.resolved(step);
    if (inner.before === undefined) walk.note(step, [{ effect: added(inner.after, ''), what: 'is new' }]);
    else if (inner.after === undefined) walk.note(step, [{ effect: removed, what: 'is gone' }]);
    else walk.enter(kind(), step);
  };
}

/** A map whose members follow one rule; `inside` says where inside each one is. */
export function members(
  rule: (key: string) => Rule,
  inside: (step: Step, key: string) => Partial<Step> = () => ({}),
): Rule {
  return (unresolved, walk) => {
    const step = walk.resolved(unresolved);
    const [before, after] = [new Map(membersOf(step.before)), new Map(membersOf(step.after))];
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const pointer = pointerTo(step.pointer, key);
      const member = { ...step, before: before.get(key), after: after.get(key), pointer };
      rule(key)({ ...member, ...inside(member, key) }, walk);
    }
  };
}

/** A map of objects whose members may be added and removed. */
export function each(kind: () => Kind, { inside, added = () => 'added', ...membership }: Membership = {}): Rule {
  return members((key) => child(kind, { ...membership, added: (member) => added(member, key) }), inside);
}
