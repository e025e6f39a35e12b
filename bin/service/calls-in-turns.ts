import { sharedTurns } from '../../core/fair-turns.ts';

/** How many calls of one provider are under way at once. A party has at most half of them: providers limit all of our calls together. */
const CALLS = { atOnce: 50, ofOneParty: 25, waits: { at: 'calls', maxWaiting: 1_000, waitMs: 10_000 } } as const;

/** Lets parties take turns at the calls of a provider: at each of its functions, except functions that answer without a call. */
export function callsInTurns<Port extends object>(port: Port, local: readonly (keyof Port)[]): Port {
  const inTurn = sharedTurns(CALLS);
  const isLocal = new Set<string | symbol | number>(local);
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || isLocal.has(name)) return member;
      return (...given: unknown[]) => inTurn<unknown>(() => Reflect.apply(member, target, given));
    },
  });
}
