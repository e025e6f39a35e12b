import { Router } from 'express';
import { SERVICE } from '../../db/audit/audit.ts';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { places } from '../../http/places.ts';
import { handOverCode } from '../../jobs/invitations/hand-over.ts';
import { requestReport, shareReport } from '../../jobs/reports/reports.ts';
import { operations } from '../contract/contract.ts';
import { buildRequest } from '../contract/requests.ts';
import { basicOf, send } from './client.ts';
import { invitationPath, onboardingPath, submit } from './links.ts';
import type { TestService } from './service.ts';
import { type Stage, setStage } from './stage.ts';

/** A route that a router was given, in Express syntax. */
export interface RegisteredRoute {
  method: string;
  path: string;
}

/** A request to a route. Its owner is known from its credentials, its link or its session; other callers are known by their address only. */
export interface RouteRequest {
  name: string;
  owner: 'key' | 'landlord' | 'address';
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

interface Registering {
  route(path: string): { methods: Record<string, boolean> };
  use(...given: unknown[]): unknown;
}

/** What a route refuses: all methods, as Express calls them, or HEAD, which otherwise follows GET. */
const REFUSED = ['_all', 'head'];
/** Watches the registration of routes, so that a list of them needs no hand. Begin before the service starts. */
export function watchRoutes(): { all(): RegisteredRoute[]; end(): void } {
  const registering: Registering = Router.prototype;
  const { route, use } = registering;
  const mounts = new Map<unknown, { parent: unknown; prefix: string }>();
  const seen: { router: unknown; path: string; methods: Record<string, boolean> }[] = [];
  registering.route = function (path) {
    const made = route.call(this, path);
    seen.push({ router: this, path, methods: made.methods });
    return made;
  };
  registering.use = function (...given) {
    const prefix = typeof given[0] === 'string' ? given[0] : '';
    for (const child of given) if (typeof child === 'function') mounts.set(child, { parent: this, prefix });
    return use.apply(this, given);
  };
  const prefixOf = (router: unknown): string => {
    const mount = mounts.get(router);
    return mount ? `${prefixOf(mount.parent)}${mount.prefix}` : '';
  };
  const all = () =>
    seen.flatMap(({ router, path, methods }) =>
      Object.keys(methods)
        .filter((method) => !REFUSED.includes(method))
        .map((method) => ({ method, path: `${prefixOf(router)}${path}`.replace('//', '/') })),
    );
  return { all, end: () => Object.assign(registering, { route, use }) };
}

/** Has the service load all its pages. @throws when the example of a place is served by another one */
export async function loadPages({ service }: TestService): Promise<void> {
  for (const place of places) {
    const { example } = place;
    if (places.find(({ path }) => path.test(example)) !== place) throw new Error(`${example} is in another place.`);
    await send(service.url, 'GET', example, {});
  }
}

/** A request to each operation of the contract, with Alice's credentials. */
export function operationRequests({ alice }: TestService, stage: Stage, hook: string): RouteRequest[] {
  return operations.map((operation) => {
    const { method, path, body } = buildRequest(operation, { ...stage }, hook);
    const isLogin = operation.operationId === 'generateToken';
    const authorization = isLogin ? `Basic ${basicOf(alice.clientId, alice.clientSecret)}` : `Bearer ${alice.token}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const name = operation.operationId;
    return { name, owner: 'key', method, path: `/api/v1${path}`, headers, ...(body === undefined ? {} : { body }) };
  });
}

/** A request to a page about a person of Alice's application. @throws when a parameter of the route has no value */
export async function pageRequest(test: TestService, { method, path }: RegisteredRoute): Promise<RouteRequest> {
  const stage = await setStage(test);
  const values: Record<string, string> = {
    digest: 'x',
    name: 'y',
    id: 'absent',
    client_id: 'absent',
    document: 'absent',
    connection: 'absent',
    place: '0-0-0.jpg',
  };
  const [, place = ''] = path.split('/');
  if (path.includes(':token') || path.includes(':code')) values['token'] = await tokenOf(test, stage, path);
  if (path.includes(':code')) values['code'] = handOverCode(values['token'] ?? '', test.service.runtime);
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${path} takes ${name}, for which there is no value.`);
    return value;
  });
  // A link of the desk signs a member in, who is unknown before.
  const isOwned = (path.includes(':token') && place !== 'desk') || place === 'mailbox';
  return {
    name: `${method.toUpperCase()} ${path}`,
    owner: isOwned ? 'key' : 'address',
    method: method.toUpperCase(),
    path: filled,
    headers: {
      accept: 'text/html',
      ...(place === 'mailbox'
        ? { authorization: `Basic ${basicOf(test.alice.clientId, test.alice.clientSecret)}` }
        : {}),
      ...(method === 'post' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(method === 'post' ? { body: 'answer=accept' } : {}),
  };
}

/** A link of the kind that the page takes. */
async function tokenOf(test: TestService, { applicationId, email, tenantId }: Stage, path: string): Promise<string> {
  const params = { tenantId };
  if (path.startsWith('/verify/kyc'))
    return lastOf((await test.alice.ok('initiateKyc', { params })).data.verification_url);
  if (path.startsWith('/verify/eid')) {
    const body = { redirect_url: 'https://letting.example/back' };
    return lastOf((await test.alice.ok('initiateEid', { params, body })).data.verification_link);
  }
  if (path.startsWith('/report')) return sharedReport(test, applicationId);
  if (path.startsWith('/onboarding')) return lastOf(await onboardingPath(test, applicationId, email));
  const invitation = await invitationPath(test, applicationId, email);
  // The pages below it are for those who have accepted.
  if (path !== '/invitation/:token') await submit(test, invitation, { answer: 'accept' });
  return lastOf(invitation);
}

/** The token of a link to a report, which need not have been made. */
async function sharedReport({ service: { runtime } }: TestService, applicationId: string): Promise<string> {
  const asked = { scope: ALL_LANDLORDS, actor: SERVICE, viewer: 'A reader' };
  const id = await requestReport(runtime, applicationId, 'en', asked);
  await runtime.db('reports').where({ id }).update({ status: 'completed' });
  return (await shareReport(runtime, id, 1, asked)).token;
}

function lastOf(url: unknown): string {
  return String(url).split('/').at(-1) ?? '';
}

/**
 * The path of a page or action behind a sign-in, with an example for its parameter. @param examples by what stands before a parameter
 * @throws when it has none
 */
export function addressOf(
  { path }: Pick<RegisteredRoute, 'path'>,
  { examples }: { examples: Record<string, string> },
): string {
  return path.replace(/^(.*?):\w+/, (_, before: string) => {
    const example = examples[before];
    if (example === undefined) throw new Error(`No example is given for ${path}.`);
    return `${before}${example}`;
  });
}
