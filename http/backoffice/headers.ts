import type { RequestHandler } from 'express';

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
    ...(isHttps(url) ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  };
  return (_req, res, next) => {
    res.set(headers);
    next();
  };
}

export function isHttps(url: string): boolean {
  return /^https:/i.test(url);
}
