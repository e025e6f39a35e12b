import { setImmediate as nextRound } from 'node:timers/promises';
import { currentParty, uncorrelated } from './correlation.ts';
import type { Overloaded } from './errors.ts';
import { type End, FairTurns, type TurnLimits } from './fair-turns.ts';
import { type Party, SERVICE } from './party.ts';

/** How long turns end in a round, from its first end on. */
const MAX_ROUND_MS = 10;

/**
 * Ends turns at the event loop: the first `most` of a round immediately, unless the round lasts too long, later ones once it has gone round. A
 * hundred requests that never wait for anything else, or a few with large transactions, would otherwise all be served before the next one is
 * read.
 * @param now in milliseconds
 */
export function paced(most: number, now = () => performance.now()): (end: End) => void {
  let ending: End[] = [];
  let ends = 0;
  let isGoingRound = false;
  let beganAt = 0;
  const goOn = () => {
    const over = ending;
    [ending, ends, isGoingRound] = [[], 0, false];
    for (const end of over) end();
  };
  return (end) => {
    if (!isGoingRound) {
      uncorrelated(() => setImmediate(goOn));
      beganAt = now();
    }
    isGoingRound = true;
    if (++ends <= most && now() - beganAt <= MAX_ROUND_MS) end();
    else ending.push(end);
  };
}

/** Turns at the event loop: each lasts until it has gone round. */
export function loopTurns(limits: TurnLimits) {
  const [turns, endTurn] = [new FairTurns(limits), paced(0)];
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
