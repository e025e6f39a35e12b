import type { CountryRates } from './country-rates.ts';

/** Régimen General. Unemployment insurance costs more in temporary contracts. */
const percent = (equity: number) => ({
  'common contingencies': [4.7],
  'unemployment insurance': [1.55, 1.6],
  'vocational training': [0.1],
  'the intergenerational equity mechanism': [equity],
});

export const spain: CountryRates = {
  labels: {
    'common contingencies': /\bcont(?:ingencias?|\.)? ?comun(?:es)?\b/,
    'unemployment insurance': /\bdesempleo\b/,
    'vocational training': /\b(?:formacion prof\w*|f\. ?p\.)/,
    'the intergenerational equity mechanism': /\b(?:mei|equidad intergeneracional)\b/,
  },
  ofOther: new Set(),
  // Where several employers share one ceiling, the payslip of each names it: pluriempleo.
  exceptions:
    /\b(?:aprendiz\w*|formativo|en alternancia|becari\w*|pluriempleo|pluriactividad|jubilacion|incapacidad temporal|i\.?t\.?|enfermedad|erte|reduccion de jornada|huelga|agrari\w*|hogar|funcionari\w*|muface|atrasos|regularizacion|rectificativa)\b/,
  leastPay: 0,
  periods: [
    // Orden PJC/51/2024, article 2 to 4, and Orden PJC/281/2024.
    { from: '2024-01', until: '2024-12', ceilings: [472_050], percent: percent(0.12) },
    // Orden PJC/178/2025.
    { from: '2025-01', until: '2025-12', ceilings: [490_950], percent: percent(0.13) },
  ],
};
