import { type JobName, kinds } from './kinds.ts';
import { type Claiming, type Held, Leases } from './leases.ts';
import { Turns } from './turns.ts';
import { type ClaimingWorker, retrying } from './worker.ts';

interface Fairness {
  /** How many rows are worked on at once. */
  places: number;
  /** The lane of each row: the rows of one lane do not delay those of another. */
  lanesOf: (ids: readonly string[]) => Promise<Map<string, string>>;
}

/**
 * Like `createWorker`, but in turns:
 * 1. claim all that the queue brings, so that it never holds up one lane behind another;
 * 2. queue each row in its lane, or put it off when the lane is full: it is due again later, and no attempt is spent;
 * 3. work on it when it is the lane's turn.
 */
export function createFairWorker(
  runtime: Claiming,
  name: JobName,
  work: (id: string) => Promise<void>,
  { places, lanesOf }: Fairness,
): ClaimingWorker {
  let puttingOff = 0;
  let hasRoom = () => {};
  const putOff = async (held: Held, delayMs: number) => {
    puttingOff++;
    await leases.giveBack(held, delayMs);
    puttingOff--;
    hasRoom();
  };
  const leases = new Leases(runtime, name, (lost) => turns.remove((held) => held === lost));
  const turns = new Turns(places, retrying(runtime, name, leases, work), putOff);
  return {
    room: () => kinds[name].concurrency - puttingOff,
    async take(ids, callback) {
      hasRoom = callback;
      // Before they are claimed: whatever is claimed must end up in a lane.
      const lanes = await lanesOf(ids);
      for (const held of await leases.claim(ids)) turns.add(lanes.get(held.id) ?? '', held);
    },
    async drain() {
      for (const held of turns.remove(() => true)) putOff(held, 0);
      await leases.drain();
    },
  };
}
