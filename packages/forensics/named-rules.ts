/**
 * The names of all rules, those across documents last. Here, so that the host need not load the rules and their readers. Types refuse a rule
 * that is not listed, and a listed rule without texts for its findings (`core/texts/report`).
 */
export const RULE_NAMES = [
  'revised-text',
  'revised-picture',
  'signatures',
  'covered-text',
  'hidden-original',
  'foreign-font',
  'other-hand',
  'pictured-value',
  'unused-glyphs',
  'editor-residue',
  'parsers-disagree',
  'known-editor',
  'metadata-contradiction',
  'seen-elsewhere',
  'statement-arithmetic',
  'payslip-arithmetic',
  'year-shares',
  'contribution-rates',
  'mrz-check-digits',
  'iban-check-digits',
  'national-id-check-digits',
  'names-agree',
  'text-as-shown',
  'copied-document',
  'c2pa-manifest',
  'net-pay-credited',
  'employer-pays',
  'balances-continue',
  'year-to-date',
  'months-and-numbers',
  'one-name',
  'one-identity',
  'one-account',
  'one-address',
] as const;

export type RuleName = (typeof RULE_NAMES)[number];

export function isRuleName(name: string): name is RuleName {
  return RULE_NAMES.some((known) => known === name);
}

/** A rule that affects the outcome in its own way. */
export const COPIED_DOCUMENT = 'copied-document' satisfies RuleName;
