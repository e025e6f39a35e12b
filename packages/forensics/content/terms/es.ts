import type { PayTerms } from './pay-terms.ts';

/** Spanish. */
export const es: PayTerms = {
  gross: [
    'total devengado',
    String.raw`t\. ?devengado`,
    'total (?:devengos|haberes|percepciones)',
    '(?:salario|sueldo) bruto',
    'total bruto',
    'suma (?:de )?devengos',
    '^devengad[oa]s?$',
  ],
  deductions: [
    'total (?:a )?deduc(?:ir|ciones)',
    String.raw`t\. ?a deducir`,
    'total descuentos',
    'total (?:de )?retenciones',
    'suma (?:de )?deducciones',
  ],
  net: [
    '(?:total )?liquido (?:total )?a percibir',
    'total liquido',
    'importe liquido',
    '^a percibir',
    '(?:neto|total neto) a percibir',
    '(?:salario|sueldo) neto',
  ],
  paid: ['transferencia'],
};
