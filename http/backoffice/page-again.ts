import { NotFound, on } from '../../core/errors.ts';
import { html } from '../../core/html.ts';
import { type Office, pageOf, type SignedIn } from './office.ts';
import { placeIn } from './query.ts';
import { refusalFor } from './refusals.ts';
import type { Page, PageRoute, RefusedForm, Visit } from './route.ts';
import { formNote, hasFormNote } from './views/forms.ts';

/** A page instead of the outcome of an action. */
export interface PageAgain {
  page: Page;
  status: number;
  headers?: Record<string, string> | undefined;
}

type Pages<Needs> = Pick<Office<Needs>, 'name' | 'routes' | 'parts'>;

/** The page with the form of an action, which names it, and which the visitor may open. @param hasProved whether they proved recently who they are */
export function pageWithForm<Needs>(
  { routes }: Pick<Office<Needs>, 'routes'>,
  { admits }: Pick<SignedIn, 'admits'>,
  { form, here }: Pick<Visit, 'form' | 'here'>,
  hasProved: boolean,
): { route: PageRoute<Needs>; place: string } | undefined {
  const opens = ({ route }: { route: PageRoute<Needs> }) => admits(route) && (hasProved || !route.needsProof);
  return [placeIn(form, 'at'), here].flatMap((place) => pageOf(routes, place) ?? []).find(opens);
}

/**
 * The page of a form that was not taken, whatever the reason: it holds what the visitor typed, and every fault. Undefined for what is not there
 * or not theirs, and where the visitor may open no page with the form.
 */
export async function pageAgain<Needs>(
  office: Pages<Needs>,
  signedIn: SignedIn,
  visit: Visit,
  { error, hasProved }: { error: unknown; hasProved: boolean },
): Promise<PageAgain | undefined> {
  const { status, faults, headers } = refusalFor(office.name, visit.t, error);
  const found = OTHERWISE.includes(status) ? undefined : pageWithForm(office, signedIn, visit, hasProved);
  if (!found) return undefined;
  const refused = { to: visit.here, sent: visit.form, faults };
  const page = await showForm(office.parts, visit, found, refused);
  return page && { page: { ...page, title: visit.t.text('refused.page', { title: page.title }) }, status, headers };
}

/** Answered without the form: signed out, absent, and impossible. */
const OTHERWISE = [401, 404, 405];

/** The page with a form as it was sent. Undefined when it is gone. It does not update itself. */
export async function showForm<Needs>(
  parts: Needs,
  visit: Visit,
  { route, place }: { route: PageRoute<Needs>; place: string },
  refused: RefusedForm,
): Promise<Page | undefined> {
  const again: Visit = {
    ...visit,
    param: (key) => paramIn(route.path, place, key),
    query: new URL(place, 'http://office.invalid').searchParams,
    form: new URLSearchParams(),
    here: place,
    refused,
  };
  const page = await route.handle(again, parts).catch(on(NotFound, () => undefined));
  if (!page) return undefined;
  const { title, heading = html`${title}`, above, main, hasPasskeys } = page;
  return {
    title,
    heading,
    // A page that no longer has the form says it above.
    main: hasFormNote(main) ? main : html`${formNote(refused)}${main}`,
    ...(above ? { above } : {}),
    ...(hasPasskeys ? { hasPasskeys } : {}),
  };
}

/** @param path of a route @param place an address of it */
function paramIn(path: string, place: string, key: string): string {
  const [given = ''] = place.split('?', 1);
  return `/${given}`.split('/')[path.split('/').indexOf(`:${key}`)] ?? '';
}
