import { CLOSING, folded, NET, OPENING } from '../labels.ts';
import { isDatedRow } from '../ledger/rows.ts';
import type { WordLine } from '../words.ts';
import { bankOf, banksOf, type KnownBank } from './bank-codes.ts';
import { ibansIn, type WrittenIban } from './ibans.ts';

/** In lines: the distance from an IBAN to its bank's name, and the height of a statement's letterhead. */
const BESIDE = 1;
const HEAD_LINES = 8;
/** A document with more IBANs lists other people's accounts. */
const MAX_IBANS = 2;

/** An IBAN that does not belong to the bank named with it. */
export interface OtherBank {
  iban: WrittenIban;
  /** The bank of the IBAN. */
  bank: KnownBank;
  /** The bank that the document names. */
  named: KnownBank;
  /** The line that contains the name. */
  line: WordLine;
}

/**
 * IBANs whose bank the document never names, although it names another known bank of the country beside the IBAN or in a statement's
 * letterhead.
 */
/** The IBANs whose bank is known, if the document has few enough to be one person's. */
export function knownBanks(lines: readonly WordLine[]): WrittenIban[] {
  const ibans = ibansIn(lines).filter(({ holds }) => holds);
  const count = new Set(ibans.map(({ iban }) => iban)).size;
  return count > MAX_IBANS ? [] : ibans.filter(({ iban }) => bankOf(iban) !== undefined);
}

export function otherBanks(lines: readonly WordLine[]): OtherBank[] {
  const ibans = ibansIn(lines).filter(({ holds }) => holds);
  const count = new Set(ibans.map(({ iban }) => iban)).size;
  if (count === 0 || count > MAX_IBANS) return [];
  const texts = lines.map(({ text }) => folded(text));
  const isStatement =
    texts.some((text) => OPENING.test(text) || CLOSING.test(text)) && !texts.some((text) => NET.test(text));
  return ibans.flatMap((iban) => {
    const bank = bankOf(iban.iban);
    if (bank === undefined || texts.some((text) => bank.named.test(text))) return [];
    const beside = besideIban(lines, iban);
    const head = isStatement && count === 1 ? lines.slice(0, HEAD_LINES).filter((line) => !isDatedRow(line)) : [];
    const found = namedIn(beside, bank) ?? namedIn(head, bank);
    return found === undefined ? [] : [{ iban, bank, ...found }];
  });
}

function besideIban(lines: readonly WordLine[], { page, box }: WrittenIban): WordLine[] {
  const at = lines.findIndex(
    (line) => line.page === page && line.box.y <= box.y + 1 && line.box.y + line.box.height >= box.y + box.height - 1,
  );
  if (at < 0) return [];
  return lines
    .slice(Math.max(0, at - BESIDE), at + BESIDE + 1)
    .filter((line) => line.page === page && !isDatedRow(line));
}

/** The only other bank of the country that the lines name; undefined if they name several. */
function namedIn(lines: readonly WordLine[], { country, name: own }: KnownBank) {
  const found = lines.flatMap((line) => {
    const text = folded(line.text);
    const banks = banksOf(country).filter((bank) => bank.name !== own && bank.clear.test(text));
    return banks.map((named) => ({ named, line }));
  });
  const [first] = found;
  return new Set(found.map(({ named }) => named.name)).size === 1 ? first : undefined;
}
