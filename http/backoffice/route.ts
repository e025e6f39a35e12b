import { NotFound } from '../../core/errors.ts';
import type { Html } from '../../core/html.ts';
import type { DeskMessage, DeskTexts } from '../../core/texts/desk-texts.ts';
import type { ReportTexts } from '../../core/texts/report-texts.ts';
import type { ConsoleRole } from '../../db/access/console-accounts.ts';
import type { MemberRole } from '../../db/access/members.ts';
import type { Actor } from '../../db/audit/audit.ts';
import type { AllLandlords, OneLandlord, Scope } from '../../db/connection/queries/scope.ts';
import type { Looker } from '../../db/privacy/looks.ts';
import type { ConditionWatch } from '../../jobs/conditions/watch.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import type { AuditVerifier } from '../../jobs/upkeep/audit-verification.ts';
import type { LivePages } from './live.ts';
import type { NoticeName } from './notices.ts';

/** Who uses the back office: an operator at the console, or a member at their landlord's desk. */
export interface Visitor {
  id: string;
  /** Shown beside the button that signs out. */
  name: string;
  /** In words. */
  role: string;
  /** As people read who looked at their results; undefined for a role that may read none. */
  looker: Looker | undefined;
  /** For the audit log. */
  actor: Actor;
  /** At the desk. */
  landlord?: string;
  /** The session in their own list. */
  sessionId: string;
  /** When they last proved who they are. */
  provedAt: Date;
}

/** One request by a signed-in visitor. */
export interface Visit<Of extends Scope = Scope> {
  visitor: Visitor;
  actor: Actor;
  /** Whose things the page may find and change: every finder takes it. */
  scope: Of;
  t: DeskTexts;
  /** For what a report says. */
  reportTexts: ReportTexts;
  /** A parameter of the route's path. */
  param(name: string): string;
  query: URLSearchParams;
  form: URLSearchParams;
  /** A file of the form; undefined when none was chosen. */
  file(name: string): Uint8Array | undefined;
  /** For the hidden field of every form; `views/forms.ts` adds it. */
  csrf: string;
  now: Date;
  /** The address of the page below the root of the office, with its query; of an action, its own. */
  here: string;
  /** The form that was refused or kept, on the page that shows it again. */
  refused?: RefusedForm;
  /** A link. @param path below the root of the office, without a leading slash */
  to(path: string): string;
  /** Whether the visitor may use a page or action of their office. @param path as for `to` */
  may(method: 'GET' | 'POST', path: string): boolean;
}

/** One request by a visitor who may read results: only with a looker can a look be recorded. */
export type ResultsVisit = Visit & { visitor: { looker: Looker } };

export interface Page {
  title: string;
  /** The heading, where it says more than the title; false for content with a heading of its own. */
  heading?: Html | false;
  /** The pages that it belongs to, from the top, as links. */
  above?: readonly Html[];
  main: Html;
  /**
   * The page's changeable content, as data, the same for every account. At the console, a page with it keeps its parts (`views/live.ts`) up
   * to date; it must not record reads.
   */
  state?: unknown;
  /** Whether it shows work under way: its parts follow it, and the page is loaded again once it no longer waits. It must not record reads. */
  isWaiting?: boolean;
  /** Whether it has a form of `views/passkeys.ts`. */
  hasPasskeys?: boolean;
}

/** Redirects to another page, after an action. */
export interface GoTo {
  /** Below the root of the office. */
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

/** The parts of the service that every page uses. At the console, `consoleUrl` is its address. */
export type Parts = Runtime;

/** The parts of the service that only operators' pages use. */
export interface Console extends Parts {
  conditions: ConditionWatch;
  /** Belongs to this process. */
  verifier: AuditVerifier;
  live: LivePages;
}

/** Who may use a route: `Given` is the visit that its handler gets. */
export interface Access<Given extends Visit> {
  /** Whether the console has it. Viewers see pages and change what is theirs, operators also act. */
  operators: boolean;
  /** The roles that may use it at the desk, which does not have it when there are none. */
  members: readonly MemberRole[];
  /** Asks for a new sign-in when the last one is too long ago. */
  needsProof?: boolean;
  /** Undefined for a visitor who is not admitted. */
  admit(visit: Visit): Given | undefined;
}

/** The same visitors, soon after a sign-in: a browser that one of them left open does nothing. */
export function proven<Given extends Visit>(access: Access<Given>): Access<Given> {
  return { ...access, needsProof: true };
}

export const operatorsOnly: Access<Visit<AllLandlords>> = {
  operators: true,
  members: [],
  admit: ({ scope, ...visit }) => (scope.of === 'all landlords' ? { ...visit, scope } : undefined),
};

export function membersOnly(...members: MemberRole[]): Access<Visit<OneLandlord>> {
  return {
    operators: false,
    members,
    admit: ({ scope, ...visit }) => (scope.of === 'one landlord' ? { ...visit, scope } : undefined),
  };
}

export function operatorsAnd(...members: MemberRole[]): Access<Visit> {
  return { operators: true, members, admit: (visit) => visit };
}

/**
 * Results are what the checks and the person's papers say about them: identity, documents, analyses, income, reports, history. At the desk they
 * are for the roles that decide about applications.
 */
export const readResults: Access<ResultsVisit> = {
  operators: true,
  members: ['admin', 'agent'],
  admit: ({ visitor, ...visit }) => {
    const { looker } = visitor;
    return looker && { ...visit, visitor: { ...visitor, looker } };
  },
};

/** A file that pages show, such as a picture. */
export interface Shown {
  type: string;
  content: string | Buffer;
  /** What the file itself may load, as a Content Security Policy. */
  policy: string;
}

interface Route<Method, Answer, Needs> {
  method: Method;
  /** Below the root of the office, in Express syntax. */
  path: string;
  /** The role at the console; undefined where the console does not have it. */
  role: ConsoleRole | undefined;
  members: readonly MemberRole[];
  needsProof: boolean;
  /** The size up to which its form may hold a file; 0 without one. */
  maxFileBytes: number;
  handle(visit: Visit, parts: Needs): Promise<Answer>;
}

export type PageRoute<Needs = Console> = Route<'GET', Page, Needs>;
export type FileRoute<Needs = Console> = Route<'GET', Shown, Needs> & { isFile: true };
/** A page instead of a redirect, where the result can be shown only once, such as a new secret. */
export type ActionRoute<Needs = Console> = Route<'POST', GoTo | Page | Download, Needs>;
export type OfficeRoute<Needs = Console> = PageRoute<Needs> | FileRoute<Needs> | ActionRoute<Needs>;

type Handle<Given extends Visit, Answer, Needs> = (visit: Given, parts: Needs) => Promise<Answer>;
/** The handler of a page that shows results. */
export type ResultsPage = Handle<ResultsVisit, Page, Parts>;
type FormOptions = Partial<Pick<ActionRoute, 'maxFileBytes'>>;

/** A page, for everyone whom its access names. */
export function page<Given extends Visit, Needs = Parts>(
  path: string,
  access: Access<Given>,
  handle: Handle<Given, Page, Needs>,
): PageRoute<Needs> {
  return { method: 'GET', path, ...guarded(access, 'viewer', handle) };
}

/** A file that belongs to a page. */
export function file<Given extends Visit, Needs = Parts>(
  path: string,
  access: Access<Given>,
  handle: Handle<Given, Shown, Needs>,
): FileRoute<Needs> {
  return { method: 'GET', path, isFile: true, ...guarded(access, 'viewer', handle) };
}

/** An action on what belongs to the visitor alone: at the console, for viewers, too. */
export function ownAction<Given extends Visit, Needs = Parts>(
  path: string,
  access: Access<Given>,
  handle: Handle<Given, GoTo, Needs>,
): ActionRoute<Needs> {
  return { method: 'POST', path, ...guarded(access, 'viewer', handle) };
}

/** An action: at the console for operators only. */
export function action<Given extends Visit, Needs = Parts>(
  path: string,
  access: Access<Given>,
  handle: Handle<Given, GoTo | Page | Download, Needs>,
  options: FormOptions = {},
): ActionRoute<Needs> {
  return { method: 'POST', path, ...guarded(access, 'operator', handle), ...options };
}

function guarded<Given extends Visit, Answer, Needs>(
  access: Access<Given>,
  role: ConsoleRole,
  handle: Handle<Given, Answer, Needs>,
) {
  return {
    role: access.operators ? role : undefined,
    members: access.members,
    needsProof: access.needsProof ?? false,
    maxFileBytes: 0,
    handle: async (visit: Visit, parts: Needs): Promise<Answer> => {
      const given = access.admit(visit);
      if (!given) throw new NotFound('Page');
      return handle(given, parts);
    },
  };
}

/** @throws NotFound */
export function expectFound<Found>(found: Found | undefined, kind: string): Found {
  if (found === undefined) throw new NotFound(kind);
  return found;
}

/** Forbidden for this visitor, or for the origin of the request. Answered with 403. */
export class Forbidden extends Error {}

/** What is wrong with a form, in the words of the reader. */
export interface Fault {
  text: string;
  /** The field with the fault. */
  field?: string | undefined;
}

/** A form as it was sent, and why it is shown again. */
export interface RefusedForm {
  /** The action, below the root of the office. */
  to: string;
  sent: URLSearchParams;
  faults: readonly Fault[];
  /** What is said when it was kept until the visitor had proved who they are, instead of refused. */
  kept?: string;
}

/** A refusal in the words of the reader. */
export class Refusal extends Error {
  readonly status: 400 | 409;
  readonly faults: readonly Fault[];

  constructor(status: 400 | 409, faults: readonly Fault[]) {
    super(faults.map(({ text }) => text).join(' '));
    this.status = status;
    this.faults = faults;
  }
}

/** A refusal with one fault. */
export class Refused extends Refusal {
  constructor(
    status: 400 | 409,
    t: DeskTexts,
    message: DeskMessage,
    values: Record<string, string | number> = {},
    field?: string,
  ) {
    super(status, [{ text: t.text(message, values), field }]);
  }
}
