import { currentParty, uncorrelated } from '../../core/correlation.ts';
import { type End, FairTurns, type TurnLimits } from '../../core/fair-turns.ts';
import { SERVICE } from '../../core/party.ts';

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
 * Turns at the event loop, for work that is synchronous and so ends before the next request is read: without them, a party's hundred requests
 * that arrived together would all be served before anything else. A turn lasts until the event loop has gone round.
 */
export class LoopTurns {
  readonly #turns: FairTurns;
  #ended: End[] = [];

  constructor(limits: TurnLimits) {
    this.#turns = new FairTurns(limits);
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const party = currentParty();
    if (party !== SERVICE) this.#endLater(this.#turns.begin(party) ?? (await this.#turns.wait(party)));
    return work();
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
