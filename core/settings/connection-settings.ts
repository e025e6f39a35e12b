import { readerOf, setting, wholeNumber } from './setting.ts';

/** The limits that the HTTP server applies to every connection. */
export interface ConnectionSettings {
  /** How many connections are open at once; further connections are closed. */
  connections: number;
  /** From the start of a connection, or of a further request on it, to the end of the headers. */
  headerMs: number;
  /** From the same start to the end of the body; at least as long as for the headers. */
  requestMs: number;
  /** How long the service waits for a caller who neither sends nor reads. */
  stallMs: number;
}

export const connectionSettings = {
  HTTP_CONNECTIONS: setting(
    wholeNumber(1, 100_000),
    5000,
    '[Concurrent connections](run.md#connections), a tenth per address; more are closed.',
  ),
  HTTP_HEADER_SECONDS: setting(wholeNumber(1, 600), 15, 'Deadline for request headers.'),
  HTTP_BODY_SECONDS: setting(
    wholeNumber(1, 600),
    15,
    'Deadline for the whole request; at least `HTTP_HEADER_SECONDS`.',
  ),
  HTTP_STALL_SECONDS: setting(wholeNumber(1, 600), 60, 'Longest time in which a caller neither sends nor reads.'),
};

/** Appends problems to `faults`. */
export function readConnections(env: NodeJS.ProcessEnv, faults: string[]): ConnectionSettings {
  const read = readerOf(connectionSettings, env, faults);
  const headerMs = read('HTTP_HEADER_SECONDS') * 1000;
  return {
    connections: read('HTTP_CONNECTIONS'),
    headerMs,
    requestMs: Math.max(headerMs, read('HTTP_BODY_SECONDS') * 1000),
    stallMs: read('HTTP_STALL_SECONDS') * 1000,
  };
}
