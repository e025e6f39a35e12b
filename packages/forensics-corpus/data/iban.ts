import type { Random } from '../random.ts';

/** The format of the account part of a country's IBAN, in the registry's notation: n for digits, a for capital letters. ISO 13616. */
const patterns: Record<string, string> = {
  DE: '18n',
  GB: '4a14n',
  ES: '20n',
  FR: '23n',
  IT: '1a22n',
  NL: '4a10n',
  PL: '24n',
  PT: '21n',
};

/** With correct check digits, in groups of four. Countries without IBANs get an account number. */
export function ibanOf(country: string, random: Random): string {
  const pattern = patterns[country];
  if (!pattern) return random.digits(10);
  const account = pattern.replace(/(\d+)([na])/g, (_, count: string, kind: string) =>
    kind === 'n' ? nationalDigits(country, Number(count), random) : random.letters(Number(count)),
  );
  return grouped(`${country}${ibanCheckDigits(country, account)}${account}`);
}

export function grouped(iban: string): string {
  return iban.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ');
}

/** ISO 7064 MOD 97-10, as ISO 13616 uses it. */
export function ibanCheckDigits(country: string, account: string): string {
  const digits = [...`${account}${country}00`].map((character) => Number.parseInt(character, 36)).join('');
  const rest = [...digits].reduce((remainder, digit) => (remainder * 10 + Number(digit)) % 97, 0);
  return String(98 - rest).padStart(2, '0');
}

/** Some countries have national check digits inside the IBAN. Those that validators check are computed too. */
function nationalDigits(country: string, count: number, random: Random): string {
  if (country === 'ES') return spanish(random);
  if (country === 'PT') return portuguese(random);
  if (country === 'PL') return polish(random);
  if (country === 'FR') return french(random);
  if (country === 'DE') return german(random);
  return `${random.integer(1, 9)}${random.digits(count - 1)}`;
}

function spanish(random: Random): string {
  const bank = `0${random.digits(7)}`;
  const account = random.digits(10);
  return `${bank}${spanishDigit(`00${bank}`)}${spanishDigit(account)}${account}`;
}

function spanishDigit(digits: string): number {
  const weights = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  const digit = 11 - (sum % 11);
  return digit === 11 ? 0 : digit === 10 ? 1 : digit;
}

/** The fourth digit identifies the banking group; uses a private one, because an invented bank may belong to any group. */
function german(random: Random): string {
  const digits = `${random.integer(1, 9)}${random.digits(17)}`;
  return `${digits.slice(0, 3)}3${digits.slice(4)}`;
}

function portuguese(random: Random): string {
  const account = `0${random.digits(18)}`;
  return `${account}${String(98 - Number(BigInt(`${account}00`) % 97n)).padStart(2, '0')}`;
}

function polish(random: Random): string {
  const bank = `1${random.digits(6)}`;
  const weights = [3, 9, 7, 1, 3, 9, 7];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(bank[index]), 0);
  return `${bank}${(10 - (sum % 10)) % 10}${random.digits(16)}`;
}

function french(random: Random): string {
  const bank = random.digits(5);
  const branch = random.digits(5);
  const account = random.digits(11);
  const key = 97n - ((89n * BigInt(bank) + 15n * BigInt(branch) + 3n * BigInt(account)) % 97n);
  return `${bank}${branch}${account}${String(key).padStart(2, '0')}`;
}
