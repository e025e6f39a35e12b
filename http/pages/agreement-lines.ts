import { keptDays } from '../../core/rules/landlord-settings.ts';
import type { Config } from '../../core/settings/config.ts';
import type { Texts } from '../../core/texts/texts.ts';
import type { Requester } from '../../db/applications/requester.ts';

/** One thing that a person reads before an identity check. */
export interface Line {
  label: string;
  text: string;
}

type Asked = Pick<Requester, 'landlord' | 'isGuarantor' | 'periods'> | undefined;

/** What a person reads and agrees to before an identity check. Stored with the flow as it was shown. */
export function kycAgreement(
  t: Texts,
  requester: Asked,
  { kyc, retention }: Pick<Config, 'kyc' | 'retention'>,
): Line[] {
  const days = keptDays(retention.RETAIN_VERIFICATIONS_DAYS, requester?.periods.retain_verifications_days);
  const checker = kyc.provider === 'stripe' ? 'agreement.who-checks-stripe' : 'agreement.who-checks-sandbox';
  return [
    whoAsks(t, requester),
    { label: t.text('agreement.what'), text: t.text('agreement.what-kyc') },
    { label: t.text('agreement.who-checks'), text: t.text(checker) },
    whoSees(t, requester),
    {
      label: t.text('agreement.how-long'),
      text: days ? t.text('agreement.how-long-kyc', { days }) : t.text('agreement.how-long-open'),
    },
    objection(t, requester),
  ];
}

export function eidAgreement(t: Texts, requester: Asked, { retention }: Pick<Config, 'retention'>): Line[] {
  const flowDays = keptDays(retention.RETAIN_VERIFICATIONS_DAYS, requester?.periods.retain_verifications_days);
  const documentDays = keptDays(retention.RETAIN_DOCUMENTS_DAYS, requester?.periods.retain_documents_days);
  const days = flowDays && documentDays ? Math.max(flowDays, documentDays) : undefined;
  return [
    whoAsks(t, requester),
    { label: t.text('agreement.what'), text: t.text('agreement.what-eid') },
    whoSees(t, requester),
    {
      label: t.text('agreement.how-long'),
      text: days ? t.text('agreement.how-long-eid', { days }) : t.text('agreement.how-long-open'),
    },
    objection(t, requester),
  ];
}

/** What a person reads and agrees to before their bank is read. @param days how far back */
export function bankAgreement(
  t: Texts,
  requester: Asked,
  { banking, retention, days }: Pick<Config, 'banking' | 'retention'> & { days: number },
): Line[] {
  const kept = keptDays(retention.RETAIN_DOCUMENTS_DAYS, requester?.periods.retain_documents_days);
  const reader = banking.provider === 'sandbox' ? 'bank.who-reads-sandbox' : 'bank.who-reads-provider';
  return [
    whoAsks(t, requester),
    { label: t.text('bank.what'), text: t.text('bank.what-text', { days }) },
    { label: t.text('bank.who-reads'), text: t.text(reader) },
    whoSees(t, requester),
    {
      label: t.text('agreement.how-long'),
      text: kept ? t.text('bank.how-long-days', { days: kept }) : t.text('bank.how-long-open'),
    },
    { label: t.text('bank.object'), text: t.text('bank.object-text') },
  ];
}

function whoAsks(t: Texts, requester: Asked): Line {
  const why = requester?.isGuarantor ? 'agreement.who-asks-guarantor' : 'agreement.who-asks-text';
  return { label: t.text('agreement.who-asks'), text: t.text(why, nameIn(t, requester)) };
}

function whoSees(t: Texts, requester: Asked): Line {
  return { label: t.text('agreement.who-sees'), text: t.text('agreement.who-sees-text', nameIn(t, requester)) };
}

function objection(t: Texts, requester: Asked): Line {
  const text = requester ? t.text('agreement.object-text', nameIn(t, requester)) : t.text('agreement.object-unnamed');
  return { label: t.text('agreement.object'), text };
}

function nameIn(t: Texts, requester: Asked): { landlord: string } {
  return { landlord: requester?.landlord ?? t.text('agreement.unnamed') };
}
