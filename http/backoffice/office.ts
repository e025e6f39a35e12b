import type { Request } from 'express';
import type { Party } from '../../core/party.ts';
import type { DeskTexts } from '../../core/texts/desk-texts.ts';
import type { ReportTexts } from '../../core/texts/report-texts.ts';
import type { SessionOfVisitor } from '../../db/access/visitors.ts';
import type { Scope } from '../../db/connection/queries/scope.ts';
import { askedPath } from '../edge/addresses.ts';
import type { HostCookie } from '../edge/cookies.ts';
import type { OfficeRoute, PageRoute, Visitor } from './route.ts';

/** A visitor who is signed in. */
export interface SignedIn {
  visitor: Visitor;
  /** Whether a form is kept for them. */
  keepsForm: boolean;
  scope: Scope;
  party: Party;
  t: DeskTexts;
  reportTexts: ReportTexts;
  admits(route: Pick<OfficeRoute, 'role' | 'members' | 'method'>): boolean;
}

/** One of the two back offices: the operators' console, or the landlords' desk. They share pages, which differ by scope. */
export interface Office<Needs> {
  /** The first segment of every address. */
  name: 'console' | 'desk';
  /** The cookie that holds the session's token. */
  cookie: HostCookie;
  routes: readonly OfficeRoute<Needs>[];
  parts: Needs;
  /** The menu: the path of each section's first page, and its name. */
  sections(t: DeskTexts): readonly (readonly [path: string, name: string])[];
  /** The name of the office in the header. */
  title(signedIn: SignedIn | undefined, t: DeskTexts): string;
  /** Whether visitors can sign in with passkeys. */
  hasPasskeys: boolean;
  /** Whether mails stay on this machine. */
  hasMailbox: boolean;
  /** The language of pages without a session. */
  textsFor(req: Request): DeskTexts;
  /** @param isUse false for requests that a page sends without its reader */
  findVisitor(token: string, req: Request, isUse: boolean): Promise<SignedIn | undefined>;
}

/** What the session of a visitor says about them. */
export function sessionOf({ session_id, proved_at }: SessionOfVisitor): Pick<Visitor, 'sessionId' | 'provedAt'> {
  return { sessionId: session_id ?? '', provedAt: new Date(proved_at) };
}

const PARAMETER = ':';

/** A tree of the segments of all paths: a page asks for the routes of dozens of addresses. */
class Branch {
  /** The positions of the routes whose path ends here. */
  readonly #ends: number[] = [];
  readonly #next = new Map<string, Branch>();

  grow([segment, ...rest]: readonly string[], position: number): void {
    if (segment === undefined) return void this.#ends.push(position);
    if (segment.includes(PARAMETER, 1)) throw new Error(`${segment} is more than a parameter.`);
    const name = segment.startsWith(PARAMETER) ? PARAMETER : segment;
    const next = this.#next.get(name) ?? new Branch();
    this.#next.set(name, next);
    next.grow(rest, position);
  }

  at([segment, ...rest]: readonly string[]): readonly number[] {
    if (segment === undefined) return this.#ends;
    const named = this.#next.get(segment)?.at(rest) ?? [];
    const given = segment === '' ? undefined : this.#next.get(PARAMETER)?.at(rest);
    return given ? [...named, ...given] : named;
  }
}

const TREES = new WeakMap<readonly Pick<OfficeRoute, 'path'>[], Branch>();

/** The routes of an office at a path. */
export function routesAt<Route extends Pick<OfficeRoute, 'path'>>(routes: readonly Route[], path: string): Route[] {
  const tree = TREES.get(routes) ?? new Branch();
  if (!TREES.has(routes)) {
    for (const [position, route] of routes.entries()) tree.grow(route.path.split('/'), position);
    TREES.set(routes, tree);
  }
  const [place = ''] = path.split('?', 1);
  return tree.at(`/${place}`.split('/')).flatMap((position) => routes[position] ?? []);
}

/** The address of a request below the root of its office, with its query. */
export function placeOf(req: Request, { name }: Pick<Office<never>, 'name'>): string {
  const { search } = new URL(req.originalUrl, 'http://office.invalid');
  return `${askedPath(req)}${search}`.slice(`${name}/`.length);
}

/** The page of an action: at its own address, or one level up. Undefined without a page at both. */
export function pageOf<Needs>(
  routes: readonly OfficeRoute<Needs>[],
  place: string,
): { route: PageRoute<Needs>; place: string } | undefined {
  const isPage = (route: OfficeRoute<Needs>): route is PageRoute<Needs> =>
    route.method === 'GET' && !('isFile' in route);
  for (const one of [place, place.replace(/\/?[^/]*$/, '')]) {
    const route = one === '' ? undefined : routesAt(routes, one).find(isPage);
    if (route) return { route, place: one };
  }
  return undefined;
}
