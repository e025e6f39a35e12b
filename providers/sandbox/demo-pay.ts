/** Pay of the demo's invented people, which their payslips and their simulated bank agree about. In cents. */

const GROSS: Readonly<Record<string, number>> = { 'Marta Ruiz': 290_000, 'Vera Lind': 312_450 };
const DEFAULT_GROSS = 290_000;
const DEDUCTED = 0.2364;

export interface DemoPay {
  gross: number;
  deductions: number;
  net: number;
}

export function demoPay(name: string): DemoPay {
  const gross = GROSS[name] ?? DEFAULT_GROSS;
  const deductions = Math.round(gross * DEDUCTED);
  return { gross, deductions, net: gross - deductions };
}
