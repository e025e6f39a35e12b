import type { PayTerms } from './pay-terms.ts';

/** English. */
export const en: PayTerms = {
  gross: [
    'total gross',
    'gross (?:pay|salary|earnings|wages?|total|for (?:the )?period)',
    'total (?:additions|earnings|pay(?:ments?)?)',
  ],
  deductions: ['total deductions?', 'deductions? total'],
  net: [
    'nett? (?:pay|salary|wages?|payment|amount|earnings)',
    'total net(?: pay)?',
    'take[- ]home pay',
    'amount payable',
  ],
  paid: ['paid by bacs', 'bacs', 'direct deposit', 'bank transfer', 'amount paid'],
};
