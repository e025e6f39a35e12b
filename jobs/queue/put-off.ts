const SHORTEST_MS = 1_000;
const LONGEST_MS = 300_000;

/** A lane whose work is put off while it has no room. */
export interface Booked {
  waiting: readonly unknown[];
  /** How many of it run at once. */
  window: number;
  /** Moving average of the duration of its work, in milliseconds. */
  typicalMs: number;
  /** Until when work that was put off will need its window. */
  bookedUntil: number;
}

/** Estimates in how many milliseconds the lane will have room, and books it. A long queue returns spread over minutes. */
export function putOffMs(lane: Booked): number {
  const now = Date.now();
  const each = lane.typicalMs / lane.window;
  const earliest = now + Math.max(SHORTEST_MS, lane.waiting.length * each);
  lane.bookedUntil = Math.min(Math.max(earliest, lane.bookedUntil) + each, now + LONGEST_MS);
  const delayMs = lane.bookedUntil - now;
  return Math.round(delayMs < LONGEST_MS ? delayMs : LONGEST_MS * (0.5 + Math.random() / 2));
}
