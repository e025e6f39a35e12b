import type { LanePolicy } from './lanes.ts';

/** Lanes take turns at a few slots. An idle lane goes first, and the last free slot is reserved for one. */
export function fairTurns(slots: number): LanePolicy {
  const window = Math.max(slots - 1, 1);
  return {
    window: { initial: window, max: window, decrease: 0 },
    maxWaiting: 2_000,
    lineOf: ({ inFlight }) => (inFlight === 0 ? 'preferred' : 'other'),
    next(_, inFlight) {
      if (inFlight >= slots) return [];
      return inFlight < slots - 1 ? ['preferred', 'other'] : ['preferred'];
    },
  };
}
