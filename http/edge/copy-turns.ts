import { FairTurns, sharedTurns, type TurnLimits } from '../../core/fair-turns.ts';

/** Copies that are worked on at once, of all parties and of one: each reads and opens a person's documents. */
const WORK = { atOnce: 4, ofOneParty: 2, waits: { at: 'copies', maxWaiting: 1_000, waitMs: 10_000 } } as const;

export interface CopyTurns {
  /** A turn of each copy until its reader has all of it. */
  open: FairTurns;
  /** A turn of each copy while we work on it. */
  work: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * Lets parties take turns at making copies of people's data.
 * @param open copies that are open at once. One whose reader waits costs a connection and little memory, and no turn at the work.
 */
export function copyTurns(open: TurnLimits): CopyTurns {
  return { open: new FairTurns(open), work: sharedTurns(WORK) };
}

/** Reads each piece of a copy in a turn. */
export async function* readInTurns(
  content: AsyncIterable<Uint8Array>,
  { work }: Pick<CopyTurns, 'work'>,
): AsyncGenerator<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]();
  const next = () => work(() => pieces.next());
  for (let piece = await next(); !piece.done; piece = await next()) yield piece.value;
}
