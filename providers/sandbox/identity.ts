import { type FlowKind, flowToken } from '../../core/secrets.ts';
import type { Clock } from '../../core/time.ts';
import type { EidProvider, IdentityFlow, KycProvider } from '../providers.ts';
import { hasMagicTag } from './magic-addresses.ts';
import { sampleDocument } from './sample-document.ts';

export interface SandboxIdentitySettings {
  /** Where our own hosted pages are. */
  publicUrl: () => string;
  linkKey: Uint8Array;
  /** How long a simulated person takes. */
  delayMs: number;
  now: Clock;
}

/** A verification that completes by itself after the delay; its page shows how it stands. */
export function createSandboxKyc(settings: SandboxIdentitySettings): KycProvider {
  return {
    pollMs: settings.delayMs,
    start: async (flow) => ({ verificationUrl: hostedPage('kyc', flow, settings) }),
    outcome: async (flow) => {
      if (!isOver(flow, settings)) return { state: 'pending' };
      if (hasMagicTag(flow.tenant.email, 'kycRejected'))
        return { state: 'failed', reason: 'The simulated identity document was rejected.' };
      return {
        state: 'verified',
        result: { provider: 'sandbox', result: 'verified', document_type: 'identity_card', name: flow.tenant.name },
      };
    },
  };
}

/** A national eID flow that completes by itself after the delay and brings one identity document. */
export function createSandboxEid(settings: SandboxIdentitySettings): EidProvider {
  return {
    pollMs: settings.delayMs,
    start: async (flow) => ({ verificationLink: hostedPage('eid', flow, settings) }),
    outcome: async (flow) => {
      if (!isOver(flow, settings)) return { state: 'pending' };
      if (hasMagicTag(flow.tenant.email, 'eidFailed'))
        return { state: 'failed', reason: 'The simulated person cancelled.' };
      return { state: 'succeeded' };
    },
    documents: async (flow) => [
      {
        name: 'national-identity.pdf',
        mediaType: 'application/pdf',
        content: sampleDocument(['National identity (simulated)', flow.tenant.name, flow.tenant.email]),
      },
    ],
  };
}

function hostedPage(kind: FlowKind, flow: IdentityFlow, { publicUrl, linkKey }: SandboxIdentitySettings): string {
  return `${publicUrl()}/verify/${kind}/${flowToken(kind, flow.id, linkKey)}`;
}

function isOver(flow: IdentityFlow, { delayMs, now }: SandboxIdentitySettings): boolean {
  return now().getTime() >= flow.startedAt.getTime() + delayMs;
}
