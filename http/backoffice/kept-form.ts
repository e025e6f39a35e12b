import type { Holder } from '../../db/access/sign-in.ts';
import { findKeptForm, keepForm as storeForm } from '../../jobs/access/kept-forms.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { showForm } from './page-again.ts';
import type { Page, PageRoute, Visit } from './route.ts';

/** In the query of a page that shows the form that was kept for it. */
const KEPT = 'kept';

/** Where a visitor continues after they have proved who they are. */
export interface Return {
  /** Below the root of the office. */
  opens: string;
  /** Whether the page shows the form as it was sent. */
  isKept: boolean;
}

type Keeping = Pick<Runtime, 'db' | 'keys' | 'now'>;

export function holderOf({ scope, visitor }: Pick<Visit, 'scope' | 'visitor'>): Holder {
  return { of: scope.of === 'one landlord' ? 'member_id' : 'account_id', id: visitor.id };
}

/**
 * Keeps a form while its sender proves who they are: they may return in another tab, or on another device.
 * @param place the page with the form @returns the page that they return to, which shows it if it was kept
 */
export async function keepForm(keeping: Keeping, visit: Visit, place = ''): Promise<Return> {
  const fields = [...visit.form].filter(([name]) => name !== 'csrf' && name !== 'at');
  const form = { place, to: visit.here, sent: new URLSearchParams(fields) };
  const isKept = place !== '' && (await storeForm(keeping, holderOf(visit), form));
  return { opens: isKept ? `${place}${place.includes('?') ? '&' : '?'}${KEPT}=1` : place, isKept };
}

interface Shown<Needs> {
  route: PageRoute<Needs>;
  parts: Needs;
  hasProved: boolean;
  /** Whether a form is kept for the visitor. */
  keepsForm: boolean;
}

/**
 * The page with the form that was kept for it. Undefined where none was. After a proof, the page shows it without the query, too: some links
 * lead elsewhere.
 */
export async function pageWithKept<Needs>(
  keeping: Keeping,
  visit: Visit,
  { route, parts, hasProved, keepsForm }: Shown<Needs>,
): Promise<Page | undefined> {
  if (!keepsForm || (!hasProved && !visit.query.has(KEPT))) return undefined;
  const found = await findKeptForm(keeping, holderOf(visit));
  const path = (place: string) => place.split('?', 1)[0];
  if (!found || path(found.place) !== path(visit.here)) return undefined;
  const { place, to, sent } = found;
  return showForm(parts, visit, { route, place }, { to, sent, faults: [], kept: visit.t.text('proof.kept') });
}
