import type { KnexPool } from 'knex';
import { currentParty } from '../../core/correlation.ts';
import { type End, FairTurns, type TurnLimits } from '../../core/fair-turns.ts';
import { type Party, SERVICE } from '../../core/party.ts';
import type { Pool } from './connections.ts';

interface Pacing {
  /** Waited for before a connection is handed out in a turn. */
  beginTurn?(party: Party): Promise<void>;
  /** Ends the turn of a released connection; at once by default. */
  endTurn?(end: End): void;
}

/**
 * A pool in which parties take turns. Every statement takes its connection from here, whichever code sends it, so that no request, page or
 * work escapes its party's share. Duties of the service itself wait for a connection only.
 */
export function fairPool<Held extends object>(
  pool: KnexPool<Held>,
  limits: TurnLimits,
  { beginTurn = async () => {}, endTurn = (end) => end() }: Pacing = {},
): Pool<Held> {
  const turns = new FairTurns(limits);
  const ends = new WeakMap<Held, End>();
  const acquireInTurn = async (party: Party) => {
    const end = turns.begin(party) ?? (await turns.wait(party));
    try {
      await beginTurn(party);
      const held = await pool.acquire().promise;
      ends.set(held, end);
      return held;
    } catch (error) {
      end();
      throw error;
    }
  };
  return {
    acquire: () => {
      const party = currentParty();
      return party === SERVICE ? pool.acquire() : { promise: acquireInTurn(party) };
    },
    release: (held) => {
      const isReleased = pool.release(held);
      const end = ends.get(held);
      ends.delete(held);
      if (end) endTurn(end);
      return isReleased;
    },
    destroy: async () => {
      await pool.destroy();
    },
    numUsed: () => pool.numUsed(),
    numFree: () => pool.numFree(),
    numPendingAcquires: () => pool.numPendingAcquires(),
  };
}
