import { NotFound } from '../../core/errors.ts';
import type { Html } from '../../core/html.ts';
import type { ConsoleAccountRow, ConsoleRole } from '../../db/access/console-accounts.ts';
import type { Actor } from '../../db/audit/audit.ts';
import type { ConditionWatch } from '../../jobs/conditions/watch.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import type { AuditVerifier } from '../../jobs/upkeep/audit-verification.ts';
import type { LivePages } from './live.ts';
import type { NoticeName } from './notices.ts';

/** One request by a signed-in operator. */
export interface Visit {
  account: ConsoleAccountRow;
  /** The actor, for the audit log. */
  actor: Actor;
  /** A parameter of the route's path. */
  param(name: string): string;
  query: URLSearchParams;
  form: URLSearchParams;
  /** For the hidden field of every form; `views/forms.ts` adds it. */
  csrf: string;
  now: Date;
  /** A link. @param path below `/console/`, without a leading slash */
  to(path: string): string;
}

export interface Page {
  title: string;
  /** The content, with one `h1`. */
  main: Html;
  /**
   * The page's changeable content, as data, the same for every account. A page with it keeps its parts (`views/live.ts`) up to date and
   * must not record reads.
   */
  state?: unknown;
}

/** Redirects to another page, after an action. */
export interface GoTo {
  /** Below `/console/`. */
  goTo: string;
  notice: NoticeName;
}

/** A file to download. */
export interface Download {
  fileName: string;
  content: AsyncIterable<Uint8Array>;
  /** Called once the file was sent, or sending failed. */
  done(): void;
}

/** The minimum role; each role includes the ones before it. */
export type Access = ConsoleRole;

/** The parts of the service that console pages use. */
export interface Console extends Runtime {
  conditions: ConditionWatch;
  /** Belongs to this process. */
  verifier: AuditVerifier;
  live: LivePages;
}

interface Route<Method, Answer> {
  method: Method;
  /** Below `/console`, in Express syntax. */
  path: string;
  role: Access;
  handle(visit: Visit, console: Console): Promise<Answer>;
}

/** A file that pages show, such as a picture. */
export interface Shown {
  type: string;
  content: string;
  /** What the file itself may load, as a Content Security Policy. */
  policy: string;
}

export type PageRoute = Route<'GET', Page>;
export type FileRoute = Route<'GET', Shown> & { isFile: true };
/** A page instead of a redirect, where the result can be shown only once, such as a new secret. */
export type ActionRoute = Route<'POST', GoTo | Page | Download>;
export type ConsoleRoute = PageRoute | FileRoute | ActionRoute;

/** A page for every account. */
export function page(path: string, handle: PageRoute['handle']): PageRoute {
  return { method: 'GET', path, role: 'viewer', handle };
}

/** A file that belongs to a page. */
export function file(path: string, handle: FileRoute['handle']): FileRoute {
  return { method: 'GET', path, role: 'viewer', isFile: true, handle };
}

/** An action for operators only. */
export function action(path: string, handle: ActionRoute['handle']): ActionRoute {
  return { method: 'POST', path, role: 'operator', handle };
}

/** @throws NotFound */
export function expectFound<Found>(found: Found | undefined, kind: string): Found {
  if (found === undefined) throw new NotFound(kind);
  return found;
}

/** Forbidden for this account, or for the origin of the request. Answered with 403. */
export class Forbidden extends Error {}
