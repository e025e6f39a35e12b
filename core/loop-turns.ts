import { setImmediate as nextRound } from 'node:timers/promises';
import { currentParty, uncorrelated } from './correlation.ts';
import type { Overloaded } from './errors.ts';
import { type End, FairTurns, type TurnLimits } from './fair-turns.ts';
import { type Party, SERVICE } from './party.ts';

/**
 * Ends turns once the event loop has gone round. What never waits for anything else would otherwise all be served before the next request is
 * read.
 */
export function atNextRound(): (end: End) => void {
  let ending: End[] = [];
  const endAll = () => {
    const over = ending;
    ending = [];
    for (const end of over) end();
  };
  return (end) => {
    if (ending.length === 0) uncorrelated(() => setImmediate(endAll));
    ending.push(end);
  };
}

/** Turns at the event loop: each lasts until it has gone round. */
export function loopTurns(limits: TurnLimits) {
  const [turns, endTurn] = [new FairTurns(limits), atNextRound()];
  return {
    /** Calls back when the turn has begun, which may be at once, or when it is refused. The service itself begins without a turn. */
    ask: (party: Party, begin: () => void, refuse?: (error: Overloaded) => void) => {
      if (party === SERVICE) return begin();
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

/**
 * Turns at the event loop for requests of which many begin together, because most wait for the same: each lasts until it has gone round
 * `rounds` times. Once one was answered in the round in which it began, the next begins in another round.
 */
export function commonTurns(limits: TurnLimits, rounds: number) {
  const turns = new FairTurns(limits);
  let answered = 0;
  return {
    /** Calls back when the turn has begun, with what reports the answer, or when it is refused. */
    ask: (party: Party, begin: (reportAnswer: () => void) => void, refuse: (error: Overloaded) => void) => {
      const beginTurn = async (end: End) => {
        do await nextRound();
        while (answered > 0);
        let isFirstRound = true;
        begin(async () => {
          if (!isFirstRound) return;
          answered++;
          await nextRound();
          answered--;
        });
        await nextRound();
        isFirstRound = false;
        for (let round = 1; round < rounds; round++) await nextRound();
        end();
      };
      turns.ask(party, beginTurn, refuse);
    },
  };
}
