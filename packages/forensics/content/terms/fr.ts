import type { PayTerms } from './pay-terms.ts';

/** French. */
export const fr: PayTerms = {
  gross: ['salaire brut', 'total brut', 'remuneration brute', 'montant brut', 'brut (?:mensuel|du mois)', '^brut'],
  deductions: ['total (?:des )?(?:retenues|cotisations|deductions)(?: salariales)?'],
  net: ['net a payer', 'net paye', 'salaire net', 'net (?:verse|a verser|a percevoir)'],
  paid: ['virement', '(?:montant|net) vire'],
};
