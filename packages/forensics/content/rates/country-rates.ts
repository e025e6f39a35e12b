import france from './france.json' with { type: 'json' };
import germany from './germany.json' with { type: 'json' };
import italy from './italy.json' with { type: 'json' };
import spain from './spain.json' with { type: 'json' };

/** What law takes from the pay of every employee of a country. Contributions, rates and months that no source confirms are not listed. */
export interface CountryRates {
  /** What payslips call each contribution, in folded text. */
  labels: Readonly<Record<string, RegExp>>;
  /** Contributions of something other than all pay, such as a share of it with the employer's insurance: only their own rows are judged. */
  ofOther: ReadonlySet<string>;
  /** Words of payslips for which other rates or another basis are lawful, in folded text. */
  exceptions: RegExp;
  /** In cents a month: up to this pay, other rules hold. */
  leastPay: number;
  periods: readonly RatePeriod[];
}

export interface RatePeriod {
  /** Months as in 2025-01, both included. */
  from: string;
  until: string;
  /** In cents a month: nothing is taken of more. */
  ceilings: readonly number[];
  /** The employee's share in per cent, by contribution; several if it depends on the person. */
  percent: Readonly<Record<string, readonly number[]>>;
}

/** As its file states it, with the sources. */
interface Stated extends Pick<CountryRates, 'leastPay' | 'periods'> {
  labels: Readonly<Record<string, string>>;
  ofOther: readonly string[];
  exceptions: string;
}

export const COUNTRIES: readonly CountryRates[] = [germany, spain, france, italy].map(
  ({ labels, ofOther, exceptions, ...stated }: Stated) => ({
    ...stated,
    labels: Object.fromEntries(Object.entries(labels).map(([name, label]) => [name, new RegExp(label)])),
    ofOther: new Set(ofOther),
    exceptions: new RegExp(exceptions),
  }),
);
