import { sharedTurns } from '../../core/fair-turns.ts';

/** How many calls of one provider are under way at once. A party has at most half of them: providers limit all of our calls together. */
const CALLS = { atOnce: 50, ofOneParty: 25, waits: { at: 'calls', maxWaiting: 1_000, waitMs: 10_000 } } as const;

/**
 * Lets parties take turns at the calls of a provider: at each of its functions.
 * @param free except these, which answer without a call, or share one
 */
export function callsInTurns<Port extends object>(port: Port, free: readonly (keyof Port)[]): Port {
  const inTurn = sharedTurns(CALLS);
  const isFree = new Set<string | symbol | number>(free);
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || isFree.has(name)) return member;
      return (...given: unknown[]) => inTurn<unknown>(() => Reflect.apply(member, target, given));
    },
  });
}
