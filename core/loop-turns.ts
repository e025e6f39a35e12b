import { currentParty, uncorrelated } from './correlation.ts';
import type { Overloaded } from './errors.ts';
import { type End, FairTurns, type TurnLimits } from './fair-turns.ts';
import { type Party, SERVICE } from './party.ts';

/**
 * Ends turns at the event loop: the first `most` immediately, the others once it has gone round `rounds` times. A hundred requests that never
 * wait for anything else would otherwise all be served before the next one is read.
 */
export function paced(most: number, rounds = 1): (end: End) => void {
  const endingIn: End[][] = Array.from({ length: rounds }, () => []);
  let ends = 0;
  let isGoingRound = false;
  const goOn = () => {
    ends = 0;
    const over = endingIn.shift() ?? [];
    endingIn.push([]);
    isGoingRound = false;
    if (endingIn.some(({ length }) => length > 0)) goRound();
    for (const end of over) end();
  };
  const goRound = () => {
    if (isGoingRound) return;
    isGoingRound = true;
    uncorrelated(() => setImmediate(goOn));
  };
  return (end) => {
    goRound();
    if (++ends <= most) end();
    else endingIn.at(-1)?.push(end);
  };
}

/** Turns at the event loop: each lasts until it has gone round. */
export function loopTurns(limits: TurnLimits, rounds = 1) {
  const [turns, endTurn] = [new FairTurns(limits), paced(0, rounds)];
  return {
    /** Calls back when the turn has begun, which may be at once, or when it is refused. */
    ask: (party: Party, begin: () => void, refuse: (error: Overloaded) => void) => {
      const beginTurn = (end: End) => {
        endTurn(end);
        begin();
      };
      turns.ask(party, beginTurn, refuse);
    },
    /**
     * Lets work that has waited for something else continue in a turn: what arrives together for one party would otherwise all be continued
     * before the event loop goes round. @throws Overloaded where turns that wait are refused
     */
    take: async (party = currentParty()) => {
      if (party !== SERVICE) endTurn(turns.begin(party) ?? (await turns.wait(party)));
    },
  };
}
