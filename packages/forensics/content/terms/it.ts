import type { PayTerms } from './pay-terms.ts';

/** Italian. */
export const it: PayTerms = {
  gross: ['totale competenze', 'competenze totali', 'totale lordo', 'retribuzione lorda'],
  deductions: ['totale (?:ritenute|trattenute)', '(?:ritenute|trattenute) totali'],
  net: ['netto (?:in busta|busta|a pagare|del mese|da pagare)', 'totale netto'],
  paid: ['bonifico'],
};
