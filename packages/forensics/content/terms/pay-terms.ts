/** The names of a payslip's totals in one language, without accents, as parts of regular expressions. */
export interface PayTerms {
  gross: readonly string[];
  /** Deductions: total, tax or insurance. */
  deductions: readonly string[];
  net: readonly string[];
  /** The amount paid, other than net pay. */
  paid: readonly string[];
}
