import type { PayTerms } from './pay-terms.ts';

/** Dutch. */
export const nl: PayTerms = {
  gross: ['bruto ?(?:loon|salaris)', 'totaal bruto', 'bruto totaal'],
  deductions: ['totale? inhoudingen', 'totaal inhoudingen', 'inhoudingen totaal'],
  net: ['netto ?(?:loon|salaris)', 'netto te (?:betalen|ontvangen)', 'uit te betalen'],
  paid: ['uitbetaald'],
};
