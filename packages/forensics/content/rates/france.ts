import type { CountryRates } from './country-rates.ts';

/**
 * Old-age insurance: article D242-4 of the Code de la sécurité sociale. CSG and CRDS (article L136-8; ordonnance 96-50, article 19) are taken
 * of 98.25 % of pay with the employer's share of private insurance.
 */
const percent = {
  'old-age insurance up to the ceiling': [6.9],
  'old-age insurance': [0.4],
  'the deductible CSG': [6.8],
  'the CSG and CRDS that are not deductible': [2.9],
};

export const france: CountryRates = {
  labels: {
    'old-age insurance up to the ceiling': /\b(?:securite sociale|s\.?s\.?|vieillesse) plafonnee?\b/,
    'old-age insurance': /\b(?:securite sociale|s\.?s\.?|vieillesse) deplafonnee?\b/,
    'the deductible CSG': /\bcsg deductible\b/,
    'the CSG and CRDS that are not deductible': /\bcsg ?(?:[/+-]|et) ?crds (?:non deductible|imposable)/,
  },
  ofOther: new Set(['the deductible CSG', 'the CSG and CRDS that are not deductible']),
  exceptions:
    /\b(?:apprenti\w*|alternance|professionnalisation|stagiaire|journaliste|pigiste|artiste|v\.?r\.?p\.?|temps partiel|employeurs multiples|multi-?employeurs?|abattement|deduction forfaitaire|expatrie\w*|activite partielle|chomage partiel|ijss|indemnites journalieres|conge\w* sans solde|regularisation|rappel|rectificatif|intermittent|mandataire)\b/,
  leastPay: 0,
  // The monthly ceiling: arrêtés of 9 December 2022, 19 December 2023 and 19 December 2024.
  periods: [
    { from: '2023-01', until: '2023-12', ceilings: [366_600], percent },
    { from: '2024-01', until: '2024-12', ceilings: [386_400], percent },
    { from: '2025-01', until: '2025-12', ceilings: [392_500], percent },
  ],
};
