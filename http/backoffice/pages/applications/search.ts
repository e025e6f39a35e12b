import { stepNames } from '../../../../core/rules/progress.ts';
import {
  type ApplicationFilter,
  type ListedApplication,
  listApplications,
  listWithState,
  participantStates,
} from '../../../../db/applications/application-lists.ts';
import { type AnalysedPerson, findLacking, findWithOutcome, outcomes } from '../../../../jobs/invitations/standings.ts';
import { recordLooks } from '../../../../jobs/privacy/looks.ts';
import { oneIn, PAGE_ROWS, pageOf } from '../../query.ts';
import type { Parts, Visit } from '../../route.ts';
import { filterChoice } from '../../views/forms.ts';
import { stepWords } from './steps.ts';

/** No index knows where people stand, or what they lack, so that one page searches no further. */
const MAX_SEARCHED = 100;
/** How many are searched at once: results are large. */
const CHUNK = 25;

/** What the query asks of the people of an application. Outcomes are results: only for those who may read them. */
export function standingIn({ query, visitor, t }: Visit) {
  const state = oneIn(query, 'state', participantStates);
  const missing = oneIn(query, 'missing', stepNames);
  const outcome = visitor.looker && oneIn(query, 'outcome', outcomes);
  const states = participantStates.map((one) => [one, t.text(`consent.${one}`)] as const);
  const steps = stepNames.map((step) => [step, t.text(stepWords[step])] as const);
  const found = outcomes.map((one) => [one, t.text(`outcome.${one}`)] as const);
  const shown = [
    filterChoice(t, 'state', t.text('filter.state'), states, state),
    filterChoice(t, 'missing', t.text('filter.missing'), steps, missing),
    visitor.looker && filterChoice(t, 'outcome', t.text('filter.outcome'), found, outcome),
  ];
  return { state, missing, outcome, shown };
}

interface Found {
  rows: readonly ListedApplication[];
  next: string | undefined;
  /** How far a search got that did not fill the page. */
  searched?: { count: number; day: Date };
}

/** A page of the applications of a filter. An outcome that it tells is recorded as a look before it is shown. */
export async function findApplications(
  visit: Visit,
  parts: Parts,
  filter: ApplicationFilter,
  { state, missing, outcome }: Pick<ReturnType<typeof standingIn>, 'state' | 'missing' | 'outcome'>,
): Promise<Found> {
  const { db } = parts;
  if ((state ?? missing ?? outcome) === undefined)
    return pageOf(await listApplications(db, visit.scope, filter, PAGE_ROWS + 1));
  const candidates = await listApplications(db, visit.scope, filter, MAX_SEARCHED + 1);
  const hits: ListedApplication[] = [];
  const people: AnalysedPerson[] = [];
  let searched = 0;
  while (searched < Math.min(candidates.length, MAX_SEARCHED) && hits.length <= PAGE_ROWS) {
    const some = candidates.slice(searched, Math.min(searched + CHUNK, MAX_SEARCHED));
    searched += some.length;
    const ids = some.map(({ id }) => id);
    const inState = state && (await listWithState(db, state, ids));
    const chunk = some.filter(({ id }) => inState?.has(id) ?? true);
    // The outcome first: fewer have it.
    const analysed = outcome && (await findWithOutcome(parts, outcome, chunk));
    people.push(...(analysed ?? []));
    const left = chunk.filter(({ id }) => !analysed || analysed.some(({ applicationId }) => applicationId === id));
    const lacking = missing && left.length > 0 ? await findLacking(parts, missing, left) : undefined;
    hits.push(...left.filter(({ id }) => lacking === undefined || lacking.has(id)));
  }
  const { rows, next } = pageOf(hits);
  const { looker } = visit.visitor;
  const seen = people.filter(({ applicationId }) => rows.some(({ id }) => id === applicationId));
  if (looker && seen.length > 0)
    await recordLooks(db, { ...visit, visitor: { looker } }, ['analysis', 'forensic.read'], seen);
  const last = candidates[searched - 1];
  if (next !== undefined || !last || searched === candidates.length) return { rows, next };
  const { created_at, id } = last;
  return { rows, next: `${created_at}_${id}`, searched: { count: searched, day: new Date(created_at) } };
}
