import table from './national-ids.json' with { type: 'json' };

/** A number that a state assigns to a person or a company, with the words that label it. */
export interface NationalId {
  /** As a caseworker knows it. */
  name: string;
  /** In folded text. */
  label: RegExp;
  /** As written; case and separators matter. */
  form: RegExp;
  /** Company numbers of the same form, which claims about people exclude. */
  company: RegExp | undefined;
  /** Modules of `stdnum`, one of which must accept it. */
  validators: readonly string[];
}

interface Validator {
  validate(value: string): { isValid: boolean; error?: Error };
}

/** Only numbers that always have check digits, unlike the Danish CPR, which has been issued without them since 2007. */
export const NATIONAL_IDS: readonly NationalId[] = table.map(({ name, label, form, company, validators }) => ({
  name,
  label: new RegExp(label),
  form: new RegExp(form),
  company: company === undefined ? undefined : new RegExp(company),
  validators,
}));

/** What each validator says of a number. Loaded only when a number is found, because loading all takes a fifth of a second. */
export async function* validations({ validators }: NationalId, text: string) {
  for (const name of validators) {
    const { validate }: Validator = await import(`stdnum/lib/cjs/${name}.js`);
    yield validate(text);
  }
}
