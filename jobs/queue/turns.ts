import type { LanePolicy } from './lanes.ts';

/** Lanes take turns at a few places. An idle lane goes first, and the last free place is reserved for one. */
export function turnsAt(places: number): LanePolicy {
  const window = Math.max(places - 1, 1);
  return {
    window: { first: window, largest: window, shrinking: 0 },
    mostWaiting: 2_000,
    lineOf: ({ underWay }) => (underWay === 0 ? 'preferred' : 'other'),
    next(_, underWay) {
      if (underWay >= places) return [];
      return underWay < places - 1 ? ['preferred', 'other'] : ['preferred'];
    },
  };
}
