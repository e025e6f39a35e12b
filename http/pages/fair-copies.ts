import { FairTurns, type TurnLimits } from '../../core/fair-turns.ts';

/** Copies that are open at once, of all people and of one. An open copy whose reader waits costs a connection and little memory. */
const OPEN: TurnLimits = {
  ...{ atOnce: 1_000, ofOneParty: 500, ofOnePerson: 1 },
  waits: { at: 'copies', maxWaiting: 100, waitMs: 10_000 },
};
/** Copies at work at once, of all API keys and of one: each reads and opens a person's documents. */
const AT_WORK: TurnLimits = {
  ...{ atOnce: 4, ofOneParty: 2 },
  waits: { at: 'copies', maxWaiting: 1_000, waitMs: 10_000 },
};

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface FairCopies {
  /** Makes one copy per person at a time. @param make receives a function that runs a piece of the work in a turn of the API key */
  run(make: (inTurn: InTurn) => Promise<void>): Promise<void>;
}

/** Lets API keys take turns at making copies. A copy holds a turn while we work on it, never while it waits for its reader. */
export function fairCopies(): FairCopies {
  const open = new FairTurns(OPEN);
  const atWork = new FairTurns(AT_WORK);
  return { run: (make) => open.run(() => make((work) => atWork.run(work))) };
}

/** Reads each piece of the content in a turn. */
export async function* readInTurns(content: AsyncIterable<Uint8Array>, inTurn: InTurn): AsyncGenerator<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]();
  const next = () => inTurn(() => pieces.next());
  try {
    for (let piece = await next(); !piece.done; piece = await next()) yield piece.value;
  } finally {
    // Closes the file of a copy whose reader has left.
    await pieces.return?.();
  }
}
