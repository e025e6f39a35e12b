import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';

const ATTEMPT_MS = 2_000;

/**
 * Gives each address of a host 2 s. Node's default abandons an address after 250 ms, less than a handshake with another continent. Covers
 * the drivers that open their own sockets (Postgres, SMTP); HTTP clients race the addresses (`providers/outbound/happy-eyeballs.ts`).
 */
export function allowSlowHandshakes(): void {
  setDefaultAutoSelectFamilyAttemptTimeout(ATTEMPT_MS);
}
