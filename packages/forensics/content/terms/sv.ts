import type { PayTerms } from './pay-terms.ts';

/** Swedish. */
export const sv: PayTerms = {
  gross: ['bruttolon'],
  deductions: [],
  net: ['nettolon'],
  paid: [],
};
