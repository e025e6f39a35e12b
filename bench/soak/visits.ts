import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { basicOf } from '../../harness/service/client.ts';
import { count } from './fleet.ts';

/** A caller: an API key with its secret. */
export interface Caller {
  clientId: string;
  clientSecret: string;
  /** Its token, and the number of visits with it. */
  token?: string;
  visits?: number;
}

/** A person who already has an account, and whose verification succeeds automatically. */
export interface Person {
  tenantId: string;
  email: string;
}

export interface Scenery {
  url: string;
  /** The next caller. */
  nextCaller: () => Caller;
  /** The next tenant to verify. */
  nextPerson: () => Person;
  property: { workspaceId: string; propertyId: string };
}

const CONNECTIONS = 16;
const MAX_CONCURRENCY = 64;
const READS = 6;
/** Tokens live for an hour, and programs keep theirs. The service may cache thousands, which is not a leak. */
const VISITS_A_TOKEN = 20;
const BEHIND_MS = 5_000;

/** Integrators' programs at work. Each visit makes the calls of such a program. */
export class Visits {
  requests = 0;
  /** Visits that have ended. */
  ended = 0;
  /** Verifications that were started, each of which becomes an event. */
  verifications = 0;
  /** Unexpected answers. */
  readonly surprises = new Map<string, number>();
  private readonly scenery: Scenery;
  private readonly pool: Pool;
  private isOver = false;
  private readonly underWay = new Set<Promise<void>>();

  constructor(scenery: Scenery) {
    this.scenery = scenery;
    this.pool = new Pool(scenery.url, { connections: CONNECTIONS, pipelining: 1 });
  }

  /** Runs until it is stopped, at an even pace. */
  async pay(perSecond: number): Promise<void> {
    let next = performance.now();
    while (!this.isOver) {
      await wait(Math.max(0, next - performance.now()));
      // A busy machine need not catch up.
      next = Math.max(next + 1000 / perSecond, performance.now() - BEHIND_MS);
      if (this.isOver || this.underWay.size >= MAX_CONCURRENCY) continue;
      const visit = this.visit().catch((error) => count(this.surprises, String(error)));
      this.underWay.add(visit);
      visit.then(() => {
        this.ended++;
        this.underWay.delete(visit);
      });
    }
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.underWay);
    await this.pool.close();
  }

  private async visit(): Promise<void> {
    const { tenantId, email } = this.scenery.nextPerson();
    const { workspaceId, propertyId } = this.scenery.property;
    const caller = this.scenery.nextCaller();
    const basic = `Basic ${basicOf(caller.clientId, caller.clientSecret)}`;
    const { access_token } = await this.ask('POST', '/authenticate/token', { authorization: basic });
    const isDue = caller.token === undefined || (caller.visits ?? 0) >= VISITS_A_TOKEN;
    if (isDue) Object.assign(caller, { token: access_token, visits: 0 });
    caller.visits = (caller.visits ?? 0) + 1;
    const authorization = `Bearer ${caller.token}`;
    const guest = `guest-${tenantId}@mail.example`;
    const tenants = [
      { email, is_lead: true },
      { email: guest, is_lead: false },
    ];
    const created = await this.ask('POST', '/applications/create-application', {
      authorization,
      body: { title: 'Soak', tenants },
    });
    const application = `/applications/${created.application_id}`;
    for (let read = 0; read < READS; read++) await this.ask('GET', application, { authorization });
    await this.ask('PATCH', `${application}/participants/${guest}`, { authorization, body: { name: 'Guest' } });
    await this.ask('GET', '/property-management/workspaces', { authorization });
    await this.ask('GET', `/property-management/properties/${propertyId}?workspace_id=${workspaceId}`, {
      authorization,
    });
    await this.ask('GET', `/tenants/initiate-kyc/${tenantId}`, { authorization });
    this.verifications++;
    await this.ask('DELETE', `${application}/participants/${guest}`, { authorization });
    // Failures must not leave anything behind either.
    await this.ask('GET', `/applications/${tenantId}`, { authorization, expected: 404 });
    await this.ask('POST', '/webhooks/create-webhook', { authorization, body: { url: 1 }, expected: 400 });
    await this.ask('GET', application, { authorization: `${authorization.slice(0, -4)}AAAA`, expected: 401 });
  }

  private async ask(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    { authorization, body, expected = 200 }: { authorization: string; body?: object; expected?: number },
  ): Promise<Record<string, string>> {
    const answer = await this.pool.request({
      method,
      path: `/api/v1${path}`,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { data }: { data?: Record<string, string> } = JSON.parse(await answer.body.text());
    this.requests++;
    if (answer.statusCode === 503) {
      // The machine is busy: programs repeat the call after Retry-After.
      await wait(1000 * Number(answer.headers['retry-after'] ?? 1));
      return this.ask(method, path, { authorization, expected, ...(body ? { body } : {}) });
    }
    if (answer.statusCode !== expected)
      throw new Error(`${method} ${path.split('/', 2).join('/')} answered ${answer.statusCode}`);
    return data ?? {};
  }
}
