import { valuesOf } from './values.ts';

/** What the HTTP server grants to connections, whoever opened them. */
export interface ConnectionSettings {
  /** How many are open at once; further ones are closed. */
  connections: number;
  /** From the first moment of a connection, or of a further request on it, to the end of the headers. */
  headerMs: number;
  /** From the same moment to the end of the body; no less than for the headers. */
  requestMs: number;
}

/** Appends problems to `faults`. */
export function readConnections(env: NodeJS.ProcessEnv, faults: string[]): ConnectionSettings {
  const { wholeNumber } = valuesOf(env, faults);
  const headerMs = wholeNumber('HTTP_HEADER_SECONDS', 15, 600) * 1000;
  return {
    connections: wholeNumber('HTTP_CONNECTIONS', 5000, 100_000),
    headerMs,
    requestMs: Math.max(headerMs, wholeNumber('HTTP_BODY_SECONDS', 15, 600) * 1000),
  };
}
