import type { KnexPool } from 'knex';
import { currentParty } from '../../core/correlation.ts';
import { type End, FairTurns, type TurnLimits } from '../../core/fair-turns.ts';
import { SERVICE } from '../../core/party.ts';
import type { Pool } from './connections.ts';

/**
 * A pool in which parties take turns. Every statement takes its connection from here, whichever code sends it, so that no request, page or
 * work escapes its party's share. Duties of the service itself wait for a connection only.
 */
export class FairPool<Held extends object> implements Pool<Held> {
  readonly #pool: KnexPool<Held>;
  readonly #turns: FairTurns;
  readonly #endTurn: (end: End) => void;
  readonly #ends = new WeakMap<Held, End>();

  /** @param endTurn ends the turn of a released connection, at once by default */
  constructor(pool: KnexPool<Held>, limits: TurnLimits, endTurn = (end: End) => end()) {
    this.#pool = pool;
    this.#turns = new FairTurns(limits);
    this.#endTurn = endTurn;
  }

  acquire(): { promise: Promise<Held> } {
    const party = currentParty();
    if (party === SERVICE) return this.#pool.acquire();
    const end = this.#turns.begin(party);
    return { promise: end ? this.#acquireIn(end) : this.#turns.wait(party).then((begun) => this.#acquireIn(begun)) };
  }

  async #acquireIn(end: End): Promise<Held> {
    try {
      const held = await this.#pool.acquire().promise;
      this.#ends.set(held, end);
      return held;
    } catch (error) {
      end();
      throw error;
    }
  }

  release(held: Held): boolean {
    const isReleased = this.#pool.release(held);
    const end = this.#ends.get(held);
    this.#ends.delete(held);
    if (end) this.#endTurn(end);
    return isReleased;
  }

  async destroy(): Promise<void> {
    await this.#pool.destroy();
  }

  numUsed(): number {
    return this.#pool.numUsed();
  }

  numFree(): number {
    return this.#pool.numFree();
  }

  numPendingAcquires(): number {
    return this.#pool.numPendingAcquires();
  }
}
