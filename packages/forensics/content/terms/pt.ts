import type { PayTerms } from './pay-terms.ts';

/** Portuguese. */
export const pt: PayTerms = {
  gross: [
    '(?:total|totais) (?:de )?(?:vencimentos|abonos|remuneracoes|iliquido)',
    '(?:vencimento|remuneracao) iliquid[oa]',
  ],
  deductions: ['total (?:de )?(?:descontos|deducoes)'],
  net: ['(?:total )?liquido (?:total )?a receber', 'valor liquido', 'vencimento liquido'],
  paid: ['transferencia'],
};
