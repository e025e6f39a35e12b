import type { PayTerms } from './pay-terms.ts';

/** Italian. */
export const it: PayTerms = {
  gross: [
    String.raw`tot(?:ale|\.) competenze`,
    'competenze totali',
    'totale lordo',
    'retribuzione lorda',
    'lordo (?:mensile|del mese)',
  ],
  deductions: [String.raw`tot(?:ale|\.) (?:ritenute|trattenute)`, '(?:ritenute|trattenute) totali'],
  net: ['^netto$', 'netto (?:in busta|busta|a pagare|del mese|da pagare)', 'totale netto'],
  paid: ['bonifico'],
};
