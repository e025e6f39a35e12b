import type { LanePolicy } from './lanes.ts';

/** Lanes take turns at a few places. An idle lane goes first, and the last free place is reserved for one. */
export function turnsAt(places: number): LanePolicy {
  const window = Math.max(places - 1, 1);
  return {
    window: { initial: window, max: window, decrease: 0 },
    maxWaiting: 2_000,
    lineOf: ({ inFlight }) => (inFlight === 0 ? 'preferred' : 'other'),
    next(_, inFlight) {
      if (inFlight >= places) return [];
      return inFlight < places - 1 ? ['preferred', 'other'] : ['preferred'];
    },
  };
}
