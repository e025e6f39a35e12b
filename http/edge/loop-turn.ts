import type { RequestHandler } from 'express';
import { LoopTurns } from '../../core/loop-turns.ts';

/** How many requests of all parties, and of one, are begun before the event loop goes round. */
const loopTurns = new LoopTurns({
  ...{ atOnce: 64, ofOneParty: 4 },
  waits: { at: 'requests', maxWaiting: 1_000, waitMs: 10_000 },
});

/** Waits for a turn of the request's party at the event loop. @throws Overloaded when too many wait */
export const takeTurn: RequestHandler = (_req, _res, next) => loopTurns.ask(next, next);
