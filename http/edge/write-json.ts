import type { ServerResponse } from 'node:http';

/** Writes a body in one piece, as exactly `application/json`: JSON defines no charset (RFC 8259, section 11). */
export function writeJson(res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  // A string body is sent together with the headers.
  res.end(text);
}
