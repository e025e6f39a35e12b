import { NotFound, on } from '../../core/errors.ts';
import { html } from '../../core/html.ts';
import type { DeskTexts } from '../../core/texts/desk-texts.ts';
import { type Office, pageOf, type SignedIn } from './office.ts';
import { placeIn } from './query.ts';
import { refusalFor } from './refusals.ts';
import type { Page, PageRoute, Visit } from './route.ts';
import { faultList, hasFaults } from './views/forms.ts';

/** A page instead of the outcome of an action. */
export interface PageAgain {
  page: Page;
  status: number;
}

/**
 * The page of a refused form, which holds what the visitor typed, and every fault. Undefined for other errors, and where the visitor may open no
 * page with the form. @param hasProved whether the visitor has proved recently who they are
 */
export async function pageAgain<Needs>(
  { name, routes, parts }: Pick<Office<Needs>, 'name' | 'routes' | 'parts'>,
  { admits }: SignedIn,
  visit: Visit,
  { error, hasProved }: { error: unknown; hasProved: boolean },
): Promise<PageAgain | undefined> {
  const refusal = refusalFor(name, visit.t, error);
  if (refusal?.status !== 400 && refusal?.status !== 409) return undefined;
  const opens = ({ route }: { route: PageRoute<Needs> }) => admits(route) && (hasProved || !route.needsProof);
  const found = [placeIn(visit.form, 'at'), visit.here].flatMap((place) => pageOf(routes, place) ?? []).find(opens);
  if (!found) return undefined;
  const { route, place } = found;
  const { faults, status } = refusal;
  const again: Visit = {
    ...visit,
    param: (key) => paramIn(route.path, place, key),
    query: new URL(place, 'http://office.invalid').searchParams,
    form: new URLSearchParams(),
    here: place,
    refused: { to: visit.here, sent: visit.form, faults },
  };
  const page = await route.handle(again, parts).catch(on(NotFound, () => undefined));
  return page && { page: withFaults(page, visit.t, faults), status };
}

/** The faults stand in the form, or above a page that no longer has it. Such a page does not update itself. */
function withFaults(
  { title, heading = html`${title}`, above, main, hasPasskeys }: Page,
  t: DeskTexts,
  faults: Parameters<typeof faultList>[0],
): Page {
  return {
    title: t.text('refused.page', { title }),
    heading,
    main: hasFaults(main) ? main : html`${faultList(faults)}${main}`,
    ...(above ? { above } : {}),
    ...(hasPasskeys ? { hasPasskeys } : {}),
  };
}

/** @param path of a route @param place an address of it */
function paramIn(path: string, place: string, key: string): string {
  const [given = ''] = place.split('?', 1);
  return `/${given}`.split('/')[path.split('/').indexOf(`:${key}`)] ?? '';
}
