import { cached } from '../../cached.ts';
import { besideLabel, type Labelled, type Part } from '../beside.ts';
import type { WordLine } from '../words.ts';
import { NATIONAL_IDS, type NationalId, validations } from './national-ids.ts';

/** A number beside a label of its country, with one of the identifiers that the label may mean. */
export interface Candidate {
  id: NationalId;
  place: Labelled;
}

/** Between a label and its number. */
const BETWEEN = /^[^\p{L}\d]{0,12}(?:(?:no?|nr|nummer|numero|n[º°]|number)[^\p{L}\d]{0,6})?$/iu;

/** The candidates of each place. */
export function numbersByPlace(lines: readonly WordLine[]): Candidate[][] {
  const all = NATIONAL_IDS.flatMap((id) => candidatesOf(id, lines));
  return [...Map.groupBy(all, ({ place }) => `${place.page} ${place.box.x} ${place.box.y} ${place.text}`).values()];
}

/** Valid numbers of persons, not of companies. */
export async function nationalNumbersIn(lines: readonly WordLine[]): Promise<{ name: string; place: Labelled }[]> {
  const found: { name: string; place: Labelled }[] = [];
  for (const candidates of numbersByPlace(lines))
    for (const { id, place } of candidates) {
      if (id.company?.test(place.text) === true || !(await holds(id, place.text))) continue;
      found.push({ name: id.name, place });
      break;
    }
  return found;
}

async function holds(id: NationalId, text: string): Promise<boolean> {
  for await (const { isValid } of validations(id, text)) if (isValid) return true;
  return false;
}

const formOf = cached(
  ({ form }: NationalId) => new RegExp(`(?<![\\p{L}\\d])(?:${form.source})(?![\\p{L}\\d*]|[-./ ]?\\d)`, 'u'),
);

function candidatesOf(id: NationalId, lines: readonly WordLine[]): Candidate[] {
  const find = (text: string): Part | undefined => {
    const match = formOf(id).exec(text);
    if (match === null || !BETWEEN.test(text.slice(0, match.index))) return undefined;
    return { text: match[0], start: match.index, end: match.index + match[0].length };
  };
  return besideLabel(lines, id.label, find).map((place) => ({ id, place }));
}
