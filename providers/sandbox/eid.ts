import { Readable } from 'node:stream';
import type { CallbackOutcome, EidOutcome, EidProvider } from '../identity/port.ts';
import { magicOutcome } from './magic-addresses.ts';
import { sampleDocument } from './sample-document.ts';

/** Enough text for an analysis to compare. */
const HEADING = ['National identity (simulated)', 'A sample of the sandbox, without any value outside of it.'];

export type SimulatedEidResult = 'confirmed' | 'cancelled' | 'failed';

const endings = {
  cancelled: { state: 'cancelled', reason: 'The person cancelled.' },
  failed: { state: 'failed', reason: 'The simulated sign-in failed.' },
} as const satisfies Record<string, CallbackOutcome>;

/** A simulated national eID: the tester chooses the outcome on a page, or by the e-mail address, after `delayMs`. */
export function createSandboxEid({ pageUrl, delayMs }: { pageUrl: () => string; delayMs: number }): EidProvider {
  return {
    name: 'sandbox',
    isMetered: false,
    startAuthorization: async ({ tenant }, { state }) =>
      magicOutcome('eid', tenant.email)
        ? null
        : { address: `${pageUrl()}?${new URLSearchParams({ state })}`, callbackChecks: 'simulated' },
    handleCallback: async (params) => {
      const result = params.get('result');
      if (result === 'confirmed') return { state: 'succeeded', grant: 'simulated' };
      return result === 'cancelled' ? endings.cancelled : endings.failed;
    },
    pollMs: ({ tenant }) => (magicOutcome('eid', tenant.email) ? delayMs : Number.POSITIVE_INFINITY),
    outcome: async ({ tenant }): Promise<EidOutcome> => {
      const chosen = magicOutcome('eid', tenant.email);
      if (!chosen) return { state: 'pending' };
      return chosen === 'succeeded' ? { state: 'succeeded' } : endings[chosen];
    },
    documents: async ({ tenant }) => [
      {
        name: 'national-identity.pdf',
        content: Readable.from([sampleDocument([...HEADING, tenant.name, tenant.email])]),
      },
    ],
  };
}
