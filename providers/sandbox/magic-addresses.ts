import { setTimeout as wait } from 'node:timers/promises';
import type { SimulatedPerson, TenantIdentity } from '../identity/port.ts';

/** `marta+kyc-rejected@mail.example` chooses an outcome without a click; without a tag the page waits for one. */
export const magicTags = {
  kyc: { verified: '+kyc-verified', rejected: '+kyc-rejected', error: '+kyc-error', left: '+kyc-left' },
  eid: { succeeded: '+eid-verified', cancelled: '+eid-cancelled', failed: '+eid-failed' },
  forensic: { failed: '+forensic-failed' },
  account: { registered: '+registered' },
  consent: { accepted: '+accepted', rejected: '+declined' },
  profile: { COMPLETED: '+onboarded', OUTDATED: '+outdated' },
  payment: { unprotected: '+payment-unprotected', protected: '+payment-protected' },
} as const;

type MagicTags = typeof magicTags;

export function magicOutcome<Kind extends keyof MagicTags>(
  kind: Kind,
  email: string,
): keyof MagicTags[Kind] | undefined {
  const local = email.toLowerCase().split('@', 1).join('');
  const outcomes: [string, string][] = Object.entries(magicTags[kind]);
  const found = outcomes.find(([, tag]) => local.includes(tag))?.[0];
  return isOutcome(kind, found) ? found : undefined;
}

function isOutcome<Kind extends keyof MagicTags>(kind: Kind, name: unknown): name is keyof MagicTags[Kind] {
  return typeof name === 'string' && Object.hasOwn(magicTags[kind], name);
}

/** What a person with this address did before the application was created. A profile needs an account. */
export function simulatedPerson(email: string): SimulatedPerson {
  const [consent, profile, payment] = [
    magicOutcome('consent', email),
    magicOutcome('profile', email),
    magicOutcome('payment', email),
  ];
  return {
    hasAccount: profile !== undefined || magicOutcome('account', email) !== undefined,
    ...(consent && { consent }),
    ...(profile && { profile }),
    ...(payment && { payment }),
  };
}

/** Delays an analysis, so that its progress is visible, and fails it when the tenant's address requests that. */
export function createRehearsal(delayMs: number): (tenant: TenantIdentity) => Promise<void> {
  return async (tenant) => {
    await wait(delayMs);
    if (magicOutcome('forensic', tenant.email)) throw new Error('The simulated analysis failed.');
  };
}
