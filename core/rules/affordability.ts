import type { Income } from './income-types.ts';

/** What a landlord's rule asks: the rent as a share of the income at most, or the income as a multiple of the rent at least. */
export type RentRule = { kind: 'share'; percent: number } | { kind: 'multiple'; times: number };

const MAX_PERCENT = 100;
const MAX_TIMES = 20;

/** Reads `35%` or `3x`. @returns undefined for anything else */
export function readRentRule(text: string): RentRule | undefined {
  const share = /^(\d{1,3})\s?%$/.exec(text)?.[1];
  if (share !== undefined)
    return Number(share) > 0 && Number(share) <= MAX_PERCENT ? { kind: 'share', percent: Number(share) } : undefined;
  const times = /^(\d{1,2}(?:\.\d)?)\s?x$/i.exec(text)?.[1];
  if (times === undefined || Number(times) <= 0 || Number(times) > MAX_TIMES) return undefined;
  return { kind: 'multiple', times: Number(times) };
}

export function writeRentRule(rule: RentRule): string {
  return rule.kind === 'share' ? `${rule.percent}%` : `${rule.times}x`;
}

export interface Affordability {
  /** The income of those who apply, guarantors left out; undefined when that of any of them is not known. */
  incomeCents: number | undefined;
  /** The rent in percent of the income, rounded; undefined without rent or income. */
  sharePercent: number | undefined;
  /** Whether the rule is met; undefined when it cannot be said. A person decides, not this. */
  isMet: boolean | undefined;
  /** The income of guarantors. */
  guarantorCents: number | undefined;
}

interface Member {
  isGuarantor: boolean;
  income: Pick<Income, 'monthlyCents'>;
}

/** @param rentCents of the linked property */
export function affordability(
  members: readonly Member[],
  rentCents: number | undefined,
  rule: RentRule | undefined,
): Affordability {
  const incomeCents = sumOf(members.filter(({ isGuarantor }) => !isGuarantor));
  const guarantorCents = sumOf(members.filter(({ isGuarantor }) => isGuarantor));
  const isComparable = rentCents !== undefined && incomeCents !== undefined && incomeCents > 0;
  const sharePercent = isComparable ? Math.round((1000 * rentCents) / incomeCents) / 10 : undefined;
  const isMet =
    rule === undefined || rentCents === undefined || incomeCents === undefined
      ? undefined
      : rule.kind === 'share'
        ? 100 * rentCents <= rule.percent * incomeCents
        : incomeCents >= rule.times * rentCents;
  return { incomeCents, sharePercent, isMet, guarantorCents };
}

function sumOf(members: readonly Member[]): number | undefined {
  if (members.length === 0) return undefined;
  return members.reduce<number | undefined>(
    (sum, { income }) =>
      sum === undefined || income.monthlyCents === undefined ? undefined : sum + income.monthlyCents,
    0,
  );
}
