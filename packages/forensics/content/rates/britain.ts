/** Class 1 National Insurance of employees: nothing up to the primary threshold, the main rate up to the upper earnings limit, then less. */
export interface InsurancePeriod {
  /** Months, both included: those in which rates change have the rates of both. */
  from: string;
  until: string;
  /** In per cent, by what the category letter stands for. */
  main: number;
  reduced: number;
  above: number;
}

/** Letters of categories with these rates; married women's reduced rate; the lower rate for all, deferred because of another job. */
export const CATEGORIES = { main: 'AFHMNV', reduced: 'BEI', deferred: 'DJLZ' };

/** In pence: the thresholds of a month and of a week, unchanged in these periods (HMRC, Rates and thresholds for employers). */
export const MONTH = { threshold: 104_800, limit: 418_900 };
export const WEEK = { threshold: 24_200, limit: 96_700 };

export const INSURANCE: readonly InsurancePeriod[] = [
  { from: '2023-04', until: '2024-01', main: 12, reduced: 5.85, above: 2 },
  // Autumn Statement 2023.
  { from: '2024-01', until: '2024-04', main: 10, reduced: 3.85, above: 2 },
  // National Insurance Contributions (Reduction in Rates) Act 2024, section 1.
  { from: '2024-04', until: '2027-03', main: 8, reduced: 1.85, above: 2 },
];
