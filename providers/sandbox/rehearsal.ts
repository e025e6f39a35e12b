import { setTimeout as wait } from 'node:timers/promises';
import type { TenantIdentity } from '../identity/port.ts';
import { magicOutcome } from './magic-addresses.ts';

/** Lets an analysis take a while, so that it can be seen under way, and fail where the tenant's address asks for it. */
export function createRehearsal(delayMs: number): (tenant: TenantIdentity) => Promise<void> {
  return async (tenant) => {
    await wait(delayMs);
    if (magicOutcome('forensic', tenant.email)) throw new Error('The simulated analysis failed.');
  };
}
