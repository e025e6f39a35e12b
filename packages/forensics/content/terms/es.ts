import type { PayTerms } from './pay-terms.ts';

/** Spanish. */
export const es: PayTerms = {
  gross: ['total devengado', String.raw`t\. ?devengado`, 'total devengos', '(?:salario|sueldo) bruto', 'total bruto'],
  deductions: [
    'total (?:a )?deduc(?:ir|ciones)',
    String.raw`t\. ?a deducir`,
    'total descuentos',
    'total (?:de )?retenciones',
  ],
  net: [
    '(?:total )?liquido (?:total )?a percibir',
    'total liquido',
    '(?:neto|total neto) a percibir',
    '(?:salario|sueldo) neto',
  ],
  paid: ['transferencia'],
};
