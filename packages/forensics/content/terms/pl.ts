import type { PayTerms } from './pay-terms.ts';

/** Polish. */
export const pl: PayTerms = {
  gross: ['wynagrodzenie brutto', 'razem brutto'],
  deductions: ['(?:razem|suma) potracen(?:ia)?'],
  net: ['(?:kwota )?do wyplaty', 'wynagrodzenie netto'],
  paid: ['przelew'],
};
