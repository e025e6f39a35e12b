import type { RequestHandler } from 'express';
import { httpsOnly } from '../edge/fixed-headers.ts';

const POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'connect-src', 'form-action'].map((name) => `${name} 'self'`),
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of every answer. @param url the public address of the console */
export function guardPages(url: string): RequestHandler {
  const headers = {
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
    ...httpsOnly(url),
  };
  return (_req, res, next) => {
    res.set(headers);
    next();
  };
}
