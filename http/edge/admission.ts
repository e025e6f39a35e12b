import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Network } from '../../core/addresses/address-ranges.ts';
import { clientAddress, partyOfAddress } from '../../core/addresses/client-address.ts';
import { type Correlation, correlated, refuseWaits, traceIdIn } from '../../core/correlation.ts';
import type { Log } from '../../core/log.ts';
import { commonTurns, loopTurns } from '../../core/loop-turns.ts';
import type { Party } from '../../core/party.ts';
import { logAtEnd, type RequestEnded } from './request-log.ts';

const ACCEPTED_ID = /^[\w.-]{1,64}$/;

const WAITS = { at: 'requests', maxWaiting: 1_000, waitMs: 10_000 } as const;
/** How many requests of all API keys, and of one, begin before the event loop goes round. */
const AUTHENTICATED = { atOnce: 64, ofOneParty: 2, waits: WAITS };
/** How many of unauthenticated callers, of one address, and of one path: most are refused, or share the look-up of a link. */
const UNAUTHENTICATED = { atOnce: 64, ofOneParty: 16, ofOnePerson: 12, waits: WAITS };
/** As many together share a look-up; over several rounds, so that they leave more of each to API keys. */
const UNAUTHENTICATED_ROUNDS = 3;

interface Admitting {
  log: Log;
  /** The proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly Network[];
  /** The party that the request's credentials prove without a look-up. */
  partyOf?(req: Request): Party | undefined;
  ended?: RequestEnded | undefined;
}

/** The only way into an application (`edge-app.ts`): no route can be reached past it. */
export interface Admission {
  handle: RequestHandler;
  /** Refuses what waits for any turn: the process ends. */
  refuseWaiting(): void;
}

/**
 * Admits requests: gives each an id, for its response and its log lines, and a party, and lets it begin in a turn of this party at the event
 * loop. A turn lasts until the event loop has gone round, an unauthenticated caller's until it has done so three times. Too many waiting
 * requests of a party are refused with 503. The party is the address until the caller is known; then the rest of the request takes a turn of
 * the caller.
 */
export function admission({ log, trustedProxies, partyOf, ended }: Admitting): Admission {
  const authenticated = loopTurns(AUTHENTICATED);
  const unauthenticated = commonTurns(UNAUTHENTICATED, UNAUTHENTICATED_ROUNDS);
  const open = new Set<Correlation>();
  const handle = (req: Request, res: Response, next: (error?: unknown) => void) => {
    const given = req.get('X-Request-Id');
    const id = given && ACCEPTED_ID.test(given) ? given : randomUUID();
    const caller = partyOf?.(req);
    const party = caller ?? partyOfAddress(clientAddress(req, trustedProxies), req.path);
    const traceId = traceIdIn(req.headers['traceparent']);
    const request: Correlation = { id, traceId, party, inTurnOf: authenticated.take };
    res.setHeader('X-Request-Id', id);
    correlated(request, () => {
      open.add(request);
      res.once('close', () => {
        open.delete(request);
        if (!res.writableFinished) refuseWaits(request);
      });
      logAtEnd(req, res, { log, ended });
      const beginUnknown = (reportAnswer: () => void) => {
        res.once('prefinish', () => request.party === party && reportAnswer());
        next();
      };
      if (caller) authenticated.ask(party, next, next);
      else unauthenticated.ask(party, beginUnknown, next);
    });
  };
  return { handle, refuseWaiting: () => open.forEach(refuseWaits) };
}
