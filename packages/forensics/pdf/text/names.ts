import { cached } from '../../cached.ts';
import { isCompany } from '../../content/claims/companies.ts';
import { type NamePlace, namePlaces } from '../../content/claims/name-places.ts';
import { wordLines } from '../../content/words.ts';
import { areOtherNames, quoted } from '../diff/values.ts';
import type { TextPage } from './read-pages.ts';
import type { Word } from './words.ts';

/** A name in a place for names, with the words that form it. */
export interface Named extends NamePlace {
  words: Word[];
}

/** The names of people and companies on a page. */
export const namesOn = cached((page: TextPage): Named[] =>
  namePlaces(wordLines([page])).map((place) => ({ ...place, words: page.items.filter((word) => isIn(word, place)) })),
);

/** The one name of another person or company that the page has elsewhere; undefined if it has several, or repeats the text. */
export function nameElsewhere(page: TextPage | undefined, text: string): Named | undefined {
  if (page === undefined) return undefined;
  const isOfCompany = isCompany(text);
  const named = namesOn(page).filter((name) => isCompany(name.text) === isOfCompany);
  const others = named.filter((name) => areOtherNames(name.text, text));
  const [first] = others;
  const isOne = others.every((other) => other === first || !areOtherNames(other.text, first?.text ?? ''));
  return isOne ? first : undefined;
}

function isIn({ box, angle }: Word, { box: place }: NamePlace): boolean {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return angle === 0 && x > place.x && x < place.x + place.width && y > place.y && y < place.y + place.height;
}

/** What a finding about a name says of the name that stands elsewhere. */
export function elsewhere(name: Named | undefined): string {
  return name === undefined ? '' : `; elsewhere the page names ${quoted(name.text)}`;
}

export function before(name: Named | undefined): { before?: string } {
  return name === undefined ? {} : { before: name.text };
}
