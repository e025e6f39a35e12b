import { currentParty, uncorrelated } from './correlation.ts';
import { type End, FairTurns, type TurnLimits } from './fair-turns.ts';

/** Lets the event loop go round after a number of ends. */
export function paced(most: number): (end: End) => void {
  let ends = 0;
  let later: End[] = [];
  const goOn = () => {
    ends = 0;
    const waiting = later;
    later = [];
    for (const end of waiting) end();
  };
  return (end) => {
    if (++ends === 1) uncorrelated(() => setImmediate(goOn));
    if (ends <= most) end();
    else later.push(end);
  };
}

/**
 * Turns at the event loop: a request that never waits for anything else ends before the next one is read, so a hundred requests of a party
 * that arrived together would all be served before anything else. A turn lasts until the event loop has gone round.
 */
export class LoopTurns {
  readonly #turns: FairTurns;
  #ended: End[] = [];

  constructor(limits: TurnLimits) {
    this.#turns = new FairTurns(limits);
  }

  /** Calls back in a turn, or with the reason why there is none. */
  ask(begin: () => void, refuse: (error: Error) => void): void {
    const start = (end: End) => {
      this.#endLater(end);
      begin();
    };
    this.#turns.ask(currentParty(), start, refuse);
  }

  #endLater(end: End): void {
    if (this.#ended.push(end) === 1) uncorrelated(() => setImmediate(() => this.#endAll()));
  }

  #endAll(): void {
    const ended = this.#ended;
    this.#ended = [];
    for (const end of ended) end();
  }
}
