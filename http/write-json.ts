import type { RequestHandler, Response } from 'express';

/** Writes a body once, as exactly `application/json`: JSON defines no charset (RFC 8259, section 11). */
export function writeJson(res: Response, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
  res.end(bytes);
}

/** Makes `res.json`, which the response validator wraps, write that way too. */
export const useWriteJson: RequestHandler = (_req, res, next) => {
  res.json = (body) => {
    writeJson(res, res.statusCode, body);
    return res;
  };
  next();
};
