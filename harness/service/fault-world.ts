import { expect } from 'chai';
import { startPostgres } from '../database/postgres-server.ts';
import { suiteFixture } from '../mocha/fixtures.ts';
import { type ServiceProcess, startServiceProcess } from '../process/process.ts';
import { eventually } from '../process/signals.ts';
import { until } from '../process/until.ts';
import { Admin } from './admin.ts';
import { Client } from './client.ts';
import { addApplicant, addHook, type Hook, SOON_AGAIN } from './deliveries.ts';
import { startTestService, type TestService } from './service.ts';

const SECRET = 'whsec_d2hhdCBpcyBhY2tub3dsZWRnZWQgaXMga2VwdC4u';
/** The service's defaults, instead of the longer timeouts of other tests. */
const LIMITS = {
  DATABASE_CONNECT_SECONDS: '3',
  DATABASE_TURN_SECONDS: '6',
  DATABASE_QUERY_SECONDS: '4',
  DATABASE_LOCK_SECONDS: '2',
};

/** The actual program with its workers, a caller that records what was acknowledged, and a webhook. */
export class FaultWorld {
  readonly test: TestService;
  readonly service: ServiceProcess;
  readonly alice: Client;
  readonly #hook: Hook;
  readonly #acknowledged: string[] = [];
  #count = 0;

  private constructor(test: TestService, service: ServiceProcess, alice: Client, hook: Hook) {
    this.test = test;
    this.service = service;
    this.alice = alice;
    this.#hook = hook;
  }

  /** @param env `DATABASE_URL` names an empty database; without it, one of the run */
  static async start(env: Record<string, string> = {}): Promise<FaultWorld> {
    const test = await startTestService({ RUN_WORKERS: 'false', ...env });
    const running = { ...new Admin(test).env, ...SOON_AGAIN, RUN_WORKERS: 'true' };
    const service = await startServiceProcess({ ...running, ...LIMITS, ...env });
    const alice = new Client(service.url, test.alice.clientId, test.alice.clientSecret);
    await alice.authenticate();
    return new FaultWorld(test, service, alice, await addHook(alice, SECRET));
  }

  get acknowledged(): number {
    return this.#acknowledged.length;
  }

  /** @returns the status, 0 for no answer */
  async create(): Promise<number> {
    const email = `fault-${this.#count++}@mail.example`;
    const body = { title: email, tenants: [{ email, is_lead: true }] };
    const { status, text } = await this.alice
      .call('createApplication', { body })
      .catch(() => ({ status: 0, text: '' }));
    if (status === 200) this.#acknowledged.push(JSON.parse(text).data.application_id);
    return status;
  }

  /** @returns the status, 0 for no answer */
  async read(): Promise<number> {
    const { status } = await this.alice.call('listWorkspaces').catch(() => ({ status: 0 }));
    return status;
  }

  /** Creates and reads concurrently. @returns the distinct statuses */
  async calls(count: number): Promise<Record<'reads' | 'creates', number[]>> {
    const every = async (call: () => Promise<number>) => {
      const statuses = await Promise.all(Array.from({ length: count }, call));
      return [...new Set(statuses)].sort();
    };
    const [reads, creates] = await Promise.all([every(() => this.read()), every(() => this.create())]);
    return { reads, creates };
  }

  /** Waits until the API reads and creates, and a worker sends the event of a verification. */
  async serves(): Promise<void> {
    await until('the API read', async () => (await this.read()) === 200);
    await until('the API created', async () => (await this.create()) === 200);
    const email = `served-${this.#count++}+kyc-verified@mail.example`;
    const tenantId = await until('a person was there', () =>
      addApplicant(this.test, this.alice, email).catch(() => undefined),
    );
    const start = () => this.alice.call('initiateKyc', { params: { tenantId } }).catch(() => ({ status: 0 }));
    // Each call may be the first to find out about a connection that was lost.
    await until('the API started a verification', async () => (await start()).status === 200);
    const { receiver } = this.#hook;
    await eventually('the worker told', () => receiver.received.some(({ data }) => data?.['tenant_id'] === tenantId));
  }

  async expectNothingLost(): Promise<void> {
    for (const applicationId of this.#acknowledged) {
      const { status } = await this.alice.call('getApplication', { params: { applicationId } });
      expect(status, 'what was acknowledged').to.equal(200);
    }
  }

  async stop(): Promise<void> {
    await this.service.kill();
    await this.#hook.stop();
    await this.test.stop();
  }
}

/** A world with its own Postgres. */
export function useOwnPostgres(options: Parameters<typeof startPostgres>[0] = {}, env: Record<string, string> = {}) {
  const postgres = suiteFixture(() => startPostgres(options));
  const world = suiteFixture(() => FaultWorld.start({ DATABASE_URL: `${postgres.url}/postgres`, ...env }));
  return { postgres, world };
}
