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

interface Validation {
  isValid: boolean;
  error?: Error;
}

interface Validator {
  validate(value: string): Validation;
}

/** Only numbers that always have check digits, unlike the Danish CPR, which has been issued without them since 2007. */
export const NATIONAL_IDS: readonly NationalId[] = table.map(({ name, label, form, company, validators }) => ({
  name,
  label: new RegExp(label),
  form: new RegExp(form),
  company: company === undefined ? undefined : new RegExp(company),
  validators,
}));

/** Whether check digits are right by a formula that the authority uses, too, and a module of `stdnum` lacks. A number has digits only. */
const FURTHER_FORMULAS: Readonly<Record<string, (number: string) => boolean>> = {
  // Numbers of up to seven digits are set behind the province without a leading zero.
  'es/nss': (number) => {
    const [province, body] = [Number(number.slice(0, 2)), Number(number.slice(2, 10))];
    return body < 10_000_000 && (province * 10_000_000 + body) % 97 === Number(number.slice(10));
  },
};

/** Whether a number fails on its check digits alone. */
export function isWrong({ error }: Validation): boolean {
  return error?.name === 'InvalidChecksum';
}

/** What each validator says of a number. Loaded only when a number is found, because loading all takes a fifth of a second. */
export async function* validations({ validators }: NationalId, text: string): AsyncGenerator<Validation> {
  for (const name of validators) {
    const { validate }: Validator = await import(`stdnum/lib/cjs/${name}.js`);
    const validation = validate(text);
    const isRight = isWrong(validation) && FURTHER_FORMULAS[name]?.(text.replace(/\D/g, '')) === true;
    yield isRight ? { isValid: true } : validation;
  }
}
