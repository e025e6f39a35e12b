import type { Config } from '../../../core/settings/config.ts';
import type { Asker } from '../../../db/applications/asker.ts';

/** One thing that a person is told before an identity check. */
export interface Line {
  label: string;
  text: string;
}

type Asked = Pick<Asker, 'landlord'> | undefined;

const name = (asker: Asked) => asker?.landlord ?? 'The landlord of your application';

/** What a person reads, and agrees to, before an identity check. Stored with the flow as it was shown. */
export function kycAgreement(asker: Asked, { kyc, retention }: Pick<Config, 'kyc' | 'retention'>): Line[] {
  const days = retention.RETAIN_VERIFICATIONS_DAYS;
  return [
    { label: 'Who asks', text: `${name(asker)}, for your rental application.` },
    {
      label: 'What is checked',
      text: 'That your identity document is genuine and valid, and that you are the person on it. You give your name, photos of the document, and a photo of your face.',
    },
    {
      label: 'Who checks it',
      text: kyc.provider === 'stripe' ? 'Stripe, a provider of identity checks, on our behalf.' : 'This service.',
    },
    {
      label: 'Who sees the result',
      text: `${name(asker)}, with the software they work with. No other landlord.`,
    },
    {
      label: 'How long it is kept',
      text: days
        ? `The details are deleted ${inDays(days)} after the check. That you passed stays known while your application does.`
        : 'Until it is no longer needed for your application, or you ask for its deletion.',
    },
    { label: 'How to object', text: objection(asker) },
  ];
}

export function eidAgreement(asker: Asked, { retention }: Pick<Config, 'retention'>): Line[] {
  const { RETAIN_VERIFICATIONS_DAYS: flowDays, RETAIN_DOCUMENTS_DAYS: documentDays } = retention;
  const days = flowDays && documentDays ? Math.max(flowDays, documentDays) : undefined;
  return [
    { label: 'Who asks', text: `${name(asker)}, for your rental application.` },
    {
      label: 'What is checked',
      text: 'Who you are. You sign in with your national electronic identity, which passes on your name and your identity documents.',
    },
    {
      label: 'Who sees the result',
      text: `${name(asker)}, with the software they work with. No other landlord.`,
    },
    {
      label: 'How long it is kept',
      text: days
        ? `All of it is deleted within ${inDays(days)}.`
        : 'Until it is no longer needed for your application, or you ask for its deletion.',
    },
    { label: 'How to object', text: objection(asker) },
  ];
}

function objection(asker: Asked): string {
  const whom = asker?.landlord ?? 'the landlord';
  return `You do not have to do this: close the page, and nothing is checked. Later, write to ${whom} to object, or to have what is held about you deleted.`;
}

function inDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

export const agreementTexts = {
  title: 'Before you start',
  lead: 'Your identity is checked next. This is what happens with your data.',
  changed: 'What happens with your data has changed since you opened this page. Please read it again.',
  button: 'I agree, continue',
  note: 'We store that you agreed, when, and to which text.',
};
