import type { TurnLimits } from '../core/fair-turns.ts';
import type { Party } from '../core/party.ts';

/** How a task ended: `nothing` says that nothing was tried, so it counts neither for its lane nor in the conditions. */
export type Ending = 'success' | 'failure' | 'nothing';

/** Where a task waits: in a lane of its party. */
export interface Place {
  party: Party;
  lane: string;
}

export interface LanePolicy {
  /** Limit of concurrent tasks in a lane. It grows with each success and shrinks with each failure, down to 1. */
  window: { initial: number; max: number; grown(window: number): number; shrunk(window: number): number };
  /** How many tasks may wait in a lane. */
  maxLaneLength?: number;
  /** How many tasks may wait in all lanes. One party may have half of them. */
  maxWaiting: number;
  /** A task holds one of these slots. */
  slots: TurnLimits;
  /** A bulkhead for lanes whose last task was not a prompt success. Without it, such lanes share the slots with all others. */
  doubtful?: { maxWaiting: number; slots: TurnLimits };
  /** A task that lasts longer is not prompt, and releases its slot. */
  slowAfterMs?: number;
  /** Such a task leaves the window of its lane, too, up to this number of concurrent tasks in the lane. */
  maxInLane?: number;
  /** Limits also the tasks that have released their slots. */
  inFlight?: TurnLimits;
}

/** One lane per party, at a few slots. */
export function fairSlots(slots: number): LanePolicy {
  const ofOneParty = Math.max(slots - 1, 1);
  return {
    window: { initial: ofOneParty, max: ofOneParty, grown: (window) => window, shrunk: (window) => window },
    maxWaiting: 2_000,
    slots: { atOnce: slots, ofOneParty, ofOnePerson: ofOneParty },
  };
}
