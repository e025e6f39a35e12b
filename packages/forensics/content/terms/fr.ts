import type { PayTerms } from './pay-terms.ts';

/** French. */
export const fr: PayTerms = {
  gross: ['salaire brut', 'total brut', 'remuneration brute', 'montant brut', '^brut'],
  deductions: ['total (?:des )?(?:retenues|cotisations|deductions)(?: salariales)?'],
  net: ['net a payer', 'net paye', 'salaire net', 'net verse'],
  paid: ['virement', '(?:montant|net) vire'],
};
