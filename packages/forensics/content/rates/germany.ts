import type { CountryRates } from './country-rates.ts';

/**
 * Employer and employee halve pension insurance (18.6 %) and unemployment insurance (SGB III section 341: 2.6 % from 2023). Health insurance
 * is left out, because each fund sets a part of its rate.
 */
const [PENSION, JOBLESS] = [[9.3], [1.3]];

/**
 * Care insurance (SGB XI section 55): more without children, a quarter per cent less for each of the second to the fifth child, and
 * half a per cent more in Saxony.
 */
function care(share: number, childless: number, children: number): number[] {
  const reduced = Array.from({ length: children }, (_, index) => share - 0.25 * index);
  return [...reduced, share + childless].flatMap((percent) => [percent, percent + 0.5]);
}

export const germany: CountryRates = {
  labels: {
    'pension insurance': /\b(?:rentenvers\w*|rv(?:[- ](?:beitrag|anteil|an))?\b)(?![-/ ]*(?:brutto|nr|nummer|tage))/,
    'unemployment insurance': /\b(?:arbeitslosenvers\w*|av(?:[- ](?:beitrag|anteil|an))?\b)(?![-/ ]*(?:brutto|tage))/,
    'care insurance': /\b(?:pflegevers\w*|pv(?:[- ](?:beitrag|anteil|an))?\b)(?![-/ ]*(?:brutto|tage))/,
  },
  ofOther: new Set(),
  exceptions:
    /\b(?:mini-?job\w*|geringfug\w*|gleitzone|midi-?job\w*|ubergangsbereich|mehrfach\w*|kurzarbeit\w*|kug|altersteilzeit|auszubild\w*|ausbildungs\w*|praktik\w*|werkstud\w*|knappschaft\w*|versorgungswerk\w*|krankengeld\w*|mutterschafts?\w*|insolvenzgeld|pauschal\w*|beamte\w*)\b/,
  // The Übergangsbereich ends at 2,000 euros.
  leastPay: 200_000,
  // Ceilings: pension insurance, west and east, then care insurance, by the Sozialversicherungsrechengrößen-Verordnung of each year.
  periods: [
    {
      from: '2023-01',
      until: '2023-06',
      ceilings: [730_000, 710_000, 498_750],
      percent: {
        'pension insurance': PENSION,
        'unemployment insurance': JOBLESS,
        'care insurance': care(1.525, 0.35, 1),
      },
    },
    {
      // Pflegeunterstützungs- und -entlastungsgesetz, from July 2023.
      from: '2023-07',
      until: '2023-12',
      ceilings: [730_000, 710_000, 498_750],
      percent: { 'pension insurance': PENSION, 'unemployment insurance': JOBLESS, 'care insurance': care(1.7, 0.6, 5) },
    },
    {
      from: '2024-01',
      until: '2024-12',
      ceilings: [755_000, 745_000, 517_500],
      percent: { 'pension insurance': PENSION, 'unemployment insurance': JOBLESS, 'care insurance': care(1.7, 0.6, 5) },
    },
    {
      // BGBl. 2024 I 365; Pflege-Beitragssatz-Anpassungsverordnung 2025, BGBl. 2024 I 446.
      from: '2025-01',
      until: '2025-12',
      ceilings: [805_000, 551_250],
      percent: { 'pension insurance': PENSION, 'unemployment insurance': JOBLESS, 'care insurance': care(1.8, 0.6, 5) },
    },
    {
      // BGBl. 2025 I 278.
      from: '2026-01',
      until: '2026-12',
      ceilings: [845_000, 581_250],
      percent: { 'pension insurance': PENSION, 'unemployment insurance': JOBLESS, 'care insurance': care(1.8, 0.6, 5) },
    },
  ],
};
