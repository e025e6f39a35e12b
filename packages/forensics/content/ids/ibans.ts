import { getCountrySpecifications, ValidationErrorsIBAN, validateIBAN } from 'ibantools';
import type { Box } from '../../model.ts';
import { boxWithin, type WordLine } from '../words.ts';

/** An IBAN by its country, its length and the form of its parts. */
export interface WrittenIban {
  /** Without spaces. */
  iban: string;
  /** As printed. */
  text: string;
  /** Whether its check digits are valid by ISO 7064 modulo 97. */
  holds: boolean;
  page: number;
  box: Box;
}

const BEGINNING = /(?<![\p{L}\d])[A-Z]{2} ?\d{2}(?= ?[A-Z\d])/gu;
const IBANS = 500;
const lengths = new Map(
  Object.entries(getCountrySpecifications()).flatMap(([country, { chars }]) =>
    chars === null ? [] : [[country, chars] as const],
  ),
);

/** Skips masked numbers (X, * or dots), which lack the form of their country's IBANs, and numbers that continue. */
export function ibansIn(lines: readonly WordLine[]): WrittenIban[] {
  const found: WrittenIban[] = [];
  for (const line of lines) {
    for (const match of line.text.matchAll(BEGINNING)) {
      if (found.length >= IBANS) return found;
      const text = wholeFrom(line.text.slice(match.index));
      const holds = text === undefined ? undefined : check(text.replaceAll(' ', ''));
      if (text === undefined || holds === undefined) continue;
      const box = boxWithin(line, match.index, match.index + text.length);
      found.push({ iban: text.replaceAll(' ', ''), text, holds, page: line.page, box });
    }
  }
  return found;
}

/** As many letters and digits as the country's IBANs have, with single spaces between them, and none directly after. */
function wholeFrom(text: string): string | undefined {
  const length = lengths.get(text.slice(0, 2));
  let count = 0;
  for (let index = 0; length !== undefined && index < text.length; index++) {
    const character = text.charAt(index);
    if (character === ' ' && text.charAt(index + 1) !== ' ') continue;
    if (!/[A-Z\d]/.test(character)) return undefined;
    if (++count === length)
      return /^(?:[\p{L}\d*]| [\d*])/u.test(text.slice(index + 1)) ? undefined : text.slice(0, index + 1);
  }
  return undefined;
}

/** Undefined unless it has the form of an IBAN. */
function check(iban: string): boolean | undefined {
  if (/^..00/.test(iban) || /^(.)\1*$/.test(iban.slice(4))) return undefined;
  const { valid, errorCodes } = validateIBAN(iban);
  if (valid) return true;
  const { WrongIBANChecksum, WrongAccountBankBranchChecksum } = ValidationErrorsIBAN;
  const isOnlyChecksum = errorCodes.every(
    (code) => code === WrongIBANChecksum || code === WrongAccountBankBranchChecksum,
  );
  return isOnlyChecksum && errorCodes.includes(WrongIBANChecksum) ? false : undefined;
}
