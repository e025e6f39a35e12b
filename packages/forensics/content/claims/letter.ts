import type { Paper } from '../../claims.ts';
import type { Page } from '../../model.ts';
import { folded } from '../labels.ts';
import { TITLES } from '../terms/terms.ts';
import { wordLines } from '../words.ts';
import { nameClaim, partyIn, peopleIn } from './people.ts';
import { dayReader } from './period.ts';

/** Lines at the top of a page, among which its title is. */
const TOP = 24;

/** The contract or confirmation of an employment on a page: whom it is about; undefined without a title or a name. */
export async function letterPaper(page: Page, isRead: boolean): Promise<Paper | undefined> {
  const lines = wordLines([page]);
  if (!lines.slice(0, TOP).some(({ text }) => TITLES.employment_letter.test(folded(text)))) return undefined;
  const found = await peopleIn(lines, dayReader(lines));
  const parties = lines.flatMap(partyIn).slice(0, 2);
  const claims = [...found, ...parties.map((party) => nameClaim(party))];
  return claims.some(({ kind }) => kind === 'name') ? { kind: 'letter', is_read: isRead, claims } : undefined;
}
