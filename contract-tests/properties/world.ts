import { issueToken } from '../../core/secrets/tokens.ts';
import { createApiKey, revokeApiKey } from '../../db/access/api-keys.ts';
import { basePath } from '../../harness/contract/contract.ts';
import { basicOf, type RawAnswer, send } from '../../harness/service/client.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { type Stage, setStage } from '../../harness/service/stage.ts';
import { exchange, onlyAnswer } from '../edge/requests.ts';
import { type Call, curlLine, preparation } from './curl.ts';

/** An API key for one case, and a token for it. */
export interface Caller {
  clientId: string;
  clientSecret: string;
  apiKeyId: string;
  token: string;
}

export interface Exchange {
  call: Call;
  answer: RawAnswer;
}

export type Furniture = Pick<World, 'stage' | 'owner' | 'revoked'>;

/** One service for all cases. Cases are isolated by their own API keys. */
export class World {
  readonly test: TestService;
  /** The owner's resources, which no case changes. */
  readonly stage: Stage;
  readonly owner: Caller;
  readonly revoked: Caller;
  /** The requests and answers of the current case. */
  exchanges: Exchange[] = [];
  /** The total over all cases. */
  requests = 0;
  private readonly names = new Map<string, string>();
  private now = Date.now();

  protected constructor(test: TestService, { stage, owner, revoked }: Furniture) {
    this.test = test;
    this.stage = stage;
    this.owner = owner;
    this.revoked = revoked;
  }

  static async start(): Promise<World> {
    const test = await startIdle();
    return new World(test, await furnish(test));
  }

  /** Starts a new case. */
  begin(): void {
    // The previous case may have moved the clock.
    if (this.now > Date.now()) {
      this.now = Date.now();
      this.test.setNow(new Date(this.now));
    }
    this.exchanges = [];
    this.names.clear();
    this.names.set(`${this.test.service.url}${basePath}`, 'BASE_URL');
    const { applicationId, tenantId, workspace_id, property_id } = this.stage;
    const ids = {
      APPLICATION_ID: applicationId,
      TENANT_ID: tenantId,
      WORKSPACE_ID: workspace_id,
      PROPERTY_ID: property_id,
    };
    for (const [name, id] of Object.entries(ids)) this.names.set(id, name);
    // A long run outlives a token.
    this.owner.token = issueToken(this.owner.apiKeyId, this.test.service.runtime.keys.token, this.clock());
    this.hide('TOKEN', this.owner);
  }

  /** A key of the landlord that owns the stage, for one case. Pasted commands name its token `$TOKEN` unless a name is given. */
  async caller(name = 'TOKEN'): Promise<Caller> {
    const caller = await createCaller(this.test, this.test.landlords.ours);
    this.hide(name, caller);
    return caller;
  }

  /** A key of another landlord, for one case. */
  async outsider(): Promise<Caller> {
    const caller = await createCaller(this.test, this.test.landlords.other);
    this.hide('OUTSIDER_TOKEN', caller);
    return caller;
  }

  /** The service's next millisecond; its clock stands still in between. @returns the time as ISO 8601 text */
  tick(): string {
    this.now = Math.max(this.now + 1, Date.now());
    this.test.setNow(new Date(this.now));
    return new Date(this.now).toISOString();
  }

  /** Advances the service's clock. */
  pass(milliseconds: number): void {
    this.now = Math.max(this.now, Date.now()) + milliseconds;
    this.test.setNow(new Date(this.now));
  }

  /** The service's current time. */
  clock(): Date {
    return this.test.service.runtime.now();
  }

  /** @throws when no answer came */
  async send(call: Call): Promise<Exchange> {
    const exchanged: Exchange = { call, answer: { status: 0, headers: {}, text: '' } };
    this.exchanges.push(exchanged);
    this.requests++;
    exchanged.answer = await answerTo(this.test.service.url, call);
    return exchanged;
  }

  /** The current case, to paste into a shell. Later calls use values returned by earlier ones; the first line defines the rest. */
  transcript(): string[] {
    const names = new Map(this.names);
    const lines = this.exchanges.map(({ call, answer }, index) => {
      const line = curlLine(this.test.service.url, call, names);
      const id = /"application_id":"([^"]+)"/.exec(answer.text)?.[1] ?? '';
      const isUsed = this.exchanges.slice(index + 1).some(({ call: { path } }) => path.includes(id));
      if (id === '' || names.has(id) || !isUsed) return line;
      const name = `APPLICATION_${index + 1}`;
      names.set(id, name);
      return `${name}=$(${line} | sed -n 's/.*"application_id":"\\([^"]*\\)".*/\\1/p')`;
    });
    return [preparation(lines.join('\n')), ...lines];
  }

  stop(): Promise<void> {
    return this.test.stop();
  }

  private hide(name: string, { token, clientId, clientSecret }: Caller): void {
    this.names.set(token, name);
    this.names.set(basicOf(clientId, clientSecret), name.replace('TOKEN', 'BASIC'));
  }
}

/** Without background work: nothing may be sent to the generated addresses. */
export function startIdle(): Promise<TestService> {
  return startTestService({ RUN_WORKERS: 'false' });
}

/** The set-up before the first case. */
export async function furnish(test: TestService): Promise<Furniture> {
  const stage = await setStage(test, 'properties');
  const owner = await ownerOf(test);
  const revoked = await createCaller(test, test.landlords.ours);
  await revokeApiKey(test.service.runtime.db, revoked.clientId, new Date());
  return { stage, owner, revoked };
}

async function createCaller({ service }: TestService, landlordId: string): Promise<Caller> {
  const { db, keys } = service.runtime;
  const { apiKey, clientSecret } = await createApiKey(db, landlordId, 'Properties', new Date());
  const token = issueToken(apiKey.id, keys.token, service.runtime.now());
  return { clientId: apiKey.client_id, clientSecret, apiKeyId: apiKey.id, token };
}

async function ownerOf({ alice, service }: TestService): Promise<Caller> {
  const { clientId, clientSecret } = alice;
  const { id } = (await service.runtime.db('api_keys').where({ client_id: clientId }).first('id')) ?? { id: '' };
  return { clientId, clientSecret, apiKeyId: id, token: String(alice.token) };
}

/** The service's answer. @throws when there is none */
export function answerTo(url: string, call: Call): Promise<RawAnswer> {
  const names = new Set(call.headers.map(([name]) => name));
  if (names.size === call.headers.length)
    return send(url, call.method, call.path, Object.fromEntries(call.headers), call.body);
  return exchange(url, bytesOf(call)).then(onlyAnswer);
}

/** Node's client cannot send a header twice. */
function bytesOf({ method, path, headers, body = Buffer.alloc(0) }: Call): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
    'connection: close',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}
