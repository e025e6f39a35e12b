import type { ErrorRequestHandler, RequestHandler } from 'express';
import { MethodNotAllowed } from '../../core/errors.ts';

const REQUEST_HEADERS = 'Authorization, Content-Type, X-Request-Id';
const RESPONSE_HEADERS = 'X-Request-Id, WWW-Authenticate';
const PREFLIGHT_SECONDS = 600;

interface Cors {
  /** Lets pages of the origin read every response below the API's base path, errors included. */
  open: RequestHandler;
  /** Answers preflights: an OPTIONS request that the path itself refuses with 405. */
  answerPreflight: ErrorRequestHandler;
}

/**
 * Lets the reference site's try-it call the API from one other origin (the Fetch standard's CORS protocol, without
 * credentials). Other origins get no CORS headers.
 * @param basePath of the API, `/api/v1`
 * @param origin such as `https://docs.example`
 */
export function createCors(basePath: string, origin: string): Cors {
  return {
    open: (req, res, next) => {
      if (!req.path.startsWith(`${basePath}/`)) return next();
      res.vary('Origin');
      if (req.get('Origin') === origin) {
        res.setHeader('Access-Control-Allow-Origin', origin);
        res.setHeader('Access-Control-Expose-Headers', RESPONSE_HEADERS);
      }
      next();
    },
    answerPreflight: (error, req, res, next) => {
      const allowed = res.getHeader('Access-Control-Allow-Origin') === origin;
      const asks = req.method === 'OPTIONS' && req.get('Access-Control-Request-Method') !== undefined;
      if (!(error instanceof MethodNotAllowed && allowed && asks)) return next(error);
      res.removeHeader('Access-Control-Expose-Headers');
      res.setHeader('Access-Control-Allow-Methods', error.allow);
      res.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
      res.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
      res.writeHead(204).end();
    },
  };
}
