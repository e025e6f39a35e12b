import type { CountryRates } from './country-rates.ts';

export const italy: CountryRates = {
  labels: {
    'pension insurance':
      /\b(?:(?:contribut[oi]|ctr\.?|rit(?:enut[ae]|\.)?) (?:i\.?n\.?p\.?s\.?|ivs|fap|f\.a\.p\.)|ivs)(?![\w.])/,
  },
  ofOther: new Set(),
  exceptions:
    /\b(?:esoner\w*|sgravi\w*|decontribuz\w*|apprendist\w*|tirocin\w*|stagist\w*|collaborat\w*|gestione separata|inpdap|cassa integrazione|c\.?i\.?g\.?|malattia|maternita|infortunio|congedo|trasfert\w*|arretrat\w*|dirigent\w*)\b/,
  leastPay: 0,
  // INPS, Fondo pensioni lavoratori dipendenti: 33 %, of which 23.81 for the employer.
  periods: [{ from: '2025-01', until: '2025-12', ceilings: [], percent: { 'pension insurance': [9.19] } }],
};
