import type { KycOutcome, KycProvider } from '../identity/port.ts';
import { magicOutcome } from './magic-addresses.ts';

export const simulatedDocuments = ['passport', 'identity_card', 'driving_licence'] as const;
export type SimulatedDocument = (typeof simulatedDocuments)[number];

/** The rejection reasons that a tester can choose, as shown to the person. */
export const rejectionReasons = {
  expired: 'The document has expired.',
  unreadable: 'The photo of the document could not be read.',
  other_person: 'The person in the selfie is not the person on the document.',
  other_name: 'The name on the document is another one.',
} as const;
export type RejectionReason = keyof typeof rejectionReasons;

export function isRejectionReason(text: string): text is RejectionReason {
  return Object.hasOwn(rejectionReasons, text);
}

export const simulatedOutcomes = ['verified', 'rejected', 'error'] as const;
export type SimulatedOutcome = (typeof simulatedOutcomes)[number];

/** The progress on the simulated page, kept as the flow's memory. */
export interface SimulatedKyc {
  name?: string;
  document?: SimulatedDocument;
  /** The last photo taken: first of the document, then of the person. */
  captured?: 'document' | 'person';
  outcome?: SimulatedOutcome;
  reason?: RejectionReason;
}

export function readSimulatedKyc(memory: string | null): SimulatedKyc {
  return memory === null ? {} : JSON.parse(memory);
}

export function writeSimulatedKyc(kyc: SimulatedKyc): string {
  return JSON.stringify(kyc);
}

/** The automatic outcome that an address requests. `left` stays pending: the page is merely left. */
export function unattendedKyc(email: string): SimulatedOutcome | 'left' | undefined {
  return magicOutcome('kyc', email);
}

/** A simulated verification: the tester chooses the outcome on a page, or by the e-mail address. */
export function createSandboxKyc(delayMs: number): KycProvider {
  return {
    name: 'sandbox',
    isMetered: false,
    start: async () => null,
    address: async () => null,
    pollMs: ({ tenant }) => (unattendedKyc(tenant.email) ? delayMs : Number.POSITIVE_INFINITY),
    outcome: async ({ tenant, memory }) => {
      const unattended = unattendedKyc(tenant.email);
      if (unattended === 'left') return { state: 'pending' };
      return outcomeOf(unattended ? { outcome: unattended } : readSimulatedKyc(memory), tenant.name);
    },
  };
}

function outcomeOf({ outcome, reason, name, document }: SimulatedKyc, accountName: string): KycOutcome {
  if (outcome === undefined) return { state: 'pending' };
  if (outcome === 'rejected') return { state: 'rejected', reason: rejectionReasons[reason ?? 'unreadable'] };
  if (outcome === 'error') return { state: 'failed', reason: 'The simulated provider had a technical error.' };
  const result = { provider: 'sandbox', result: 'verified', document_type: document ?? 'identity_card' };
  return { state: 'verified', result: { ...result, name: name ?? accountName } };
}
