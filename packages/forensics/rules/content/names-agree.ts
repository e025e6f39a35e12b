import { distinctWords } from '../../content/claims/companies.ts';
import { likeness } from '../../content/claims/likeness.ts';
import { type NamePlace, namePlaces } from '../../content/claims/name-places.ts';
import { nameWords, postcodeUnder } from '../../content/claims/people.ts';
import { folded, GROSS, NET, OPENING } from '../../content/labels.ts';
import { isDatedRow } from '../../content/ledger/rows.ts';
import { TITLES } from '../../content/terms/terms.ts';
import { type WordLine, wordLines } from '../../content/words.ts';
import type { Page } from '../../model.ts';
import { quoted } from '../../pdf/diff/values.ts';
import type { Finding, Rule } from '../../rule.ts';
import { type Looked, verdictOnEachPage } from '../on-text.ts';

const PAGES = 20;
/** A page that names more people is about several. */
const MAX_PEOPLE = 2;
const MAX_COMPANIES = 6;

/**
 * A document names its person in several places: in the address, beside a label, in the salutation, below a signature. A forger who changes
 * a name forgets one. Names contradict each other if none of one kind has a word in common with one of the other:
 *
 * - on a payslip, those beside labels for the employee, and those in addresses;
 * - on a statement, those beside the label for the account's holder, and those in addresses;
 * - in a letter, those in addresses and the one in the salutation, if only the latter occurs elsewhere in the letter;
 * - or, for two companies, each above or beside one and the same address.
 *
 * Known false positives: a letter to a guardian or an agent; two companies of a group in one building.
 *
 * Source: own reasoning.
 */
export const namesAgree: Rule = {
  name: 'names-agree',
  version: 4,
  title: 'Names in several places of a page',
  strength: 'medium',
  family: 'content',
  substance: true,
  appliesTo: ['pdf', 'jpeg', 'png'],
  run: (document) => verdictOnEachPage(document, PAGES, look),
};

function look(page: Page): Looked {
  const lines = wordLines([page]);
  const places = namePlaces(lines);
  const people = peoplePairs(lines, places);
  const companies = companyPairs(lines, places);
  const found = [...people, ...companies].filter(({ isOther }) => isOther);
  return {
    findings: isAboutSeveral(places) ? [] : found.slice(0, 3).map(findingOf),
    compared: { count: people.length + companies.length, what: 'pair of names', many: 'pairs of names' },
  };
}

interface Pair {
  one: NamePlace;
  other: NamePlace;
  isOther: boolean;
}

function isAboutSeveral(places: readonly NamePlace[]): boolean {
  const names: NamePlace[] = [];
  for (const place of places.filter(({ role }) => role === 'employee' || role === 'holder' || role === 'addressee'))
    if (names.every((known) => !areAlike(known, place))) names.push(place);
  return names.length > MAX_PEOPLE;
}

function peoplePairs(lines: readonly WordLine[], places: readonly NamePlace[]): Pair[] {
  const of = (role: NamePlace['role']) => places.filter((place) => place.role === role);
  const text = folded(lines.map((line) => line.text).join('\n'));
  const [employees, addressees, salutations] = [of('employee'), of('addressee'), of('salutation')];
  const cells = lines.flatMap((line) => folded(line.text).split('\t'));
  const isPayslip = cells.some((cell) => NET.test(cell)) && cells.some((cell) => GROSS.test(cell));
  // Invoices name a customer, and their first address is the sender's.
  const isStatement = !isPayslip && employees.length === 0 && cells.some((cell) => TITLES.bank_statement.test(cell));
  return [
    ...(isPayslip ? between(employees, addressees) : []),
    ...(isStatement ? between(of('holder'), aboveBookings(lines, addressees)) : []),
    ...between(salutations, addressees).map((pair) => ({
      ...pair,
      isOther: pair.isOther && isAlone(pair.other, pair.one, text),
    })),
  ];
}

/** Bookings and balances, too, may read like a name above a street and a postcode. */
function aboveBookings(lines: readonly WordLine[], places: readonly NamePlace[]): NamePlace[] {
  const first = lines.findIndex((line) => isDatedRow(line) || OPENING.test(folded(line.text)));
  return places.filter(({ line }) => first < 0 || lines.indexOf(line) < first);
}

/** Whether the text repeats the one name, but not the other. */
function isAlone(alone: NamePlace, repeated: NamePlace, text: string): boolean {
  const times = (place: NamePlace) => {
    const last = folded(place.text).trim().split(' ').at(-1) ?? '';
    return text.split(last).length - 1;
  };
  return times(alone) === 1 && times(repeated) > 1;
}

/** Companies that stand at one address. */
function companyPairs(lines: readonly WordLine[], places: readonly NamePlace[]): Pair[] {
  const companies = places.filter(({ role }) => role === 'company' || role === 'employer').slice(0, MAX_COMPANIES);
  const addressed = companies.flatMap((place) => {
    const postcode = postcodeUnder(place, lines);
    return postcode === undefined ? [] : [{ place, postcode: postcode.value }];
  });
  return pairsOf(addressed)
    .filter(([one, other]) => one.postcode === other.postcode)
    .map(([{ place: one }, { place: other }]) => ({ one, other, isOther: !areOneCompany(one.text, other.text) }));
}

function areOneCompany(one: string, other: string): boolean {
  const [own, theirs] = [distinctWords(one), distinctWords(other)];
  return (
    own.length === 0 ||
    theirs.length === 0 ||
    own.some((word) => theirs.some((its) => its.startsWith(word.slice(0, 5))))
  );
}

function areAlike(one: NamePlace, other: NamePlace): boolean {
  return likeness(nameWords(one.text).join(' '), nameWords(other.text).join(' ')) > 0;
}

function pairsOf<Item>(items: readonly Item[]): [Item, Item][] {
  return items.flatMap((one, index) => items.slice(index + 1).map((other): [Item, Item] => [one, other]));
}

/** Whether no name of the one kind is one of the other: sole proprietors and advisors have addresses, too. The nearest address is the last. */
function between(some: readonly NamePlace[], others: readonly NamePlace[]): Pair[] {
  const [one] = some;
  const other = others.at(-1);
  if (one === undefined || other === undefined) return [];
  return [{ one, other, isOther: !some.some((own) => others.some((their) => areAlike(own, their))) }];
}

function findingOf({ one, other }: Pair): Finding {
  const place = ({ page, box, text }: NamePlace, before: string) => ({ page, box, before, after: text });
  return {
    message: `Page ${one.page} names ${quoted(one.text)} in one place and ${quoted(other.text)} in another.`,
    evidence: [place(one, other.text), place(other, one.text)],
  };
}
