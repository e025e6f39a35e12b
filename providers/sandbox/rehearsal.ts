import { setTimeout as wait } from 'node:timers/promises';
import type { TenantIdentity } from '../identity/port.ts';
import { magicOutcome } from './magic-addresses.ts';

/** Delays an analysis, so that its progress is visible, and fails it when the tenant's address requests that. */
export function createRehearsal(delayMs: number): (tenant: TenantIdentity) => Promise<void> {
  return async (tenant) => {
    await wait(delayMs);
    if (magicOutcome('forensic', tenant.email)) throw new Error('The simulated analysis failed.');
  };
}
