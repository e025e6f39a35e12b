import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import { ToolFault } from '../faults.ts';

const NAMES = ['BASE_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'VERIFIED_TENANT_ID'] as const;
const LOOKS_LIKE = 'it looks like http://127.0.0.1:3000/api/v1.';
/** Where a tenant would return after a national eID; never visited. */
const REDIRECT_URL = 'http://127.0.0.1:4000/back';

/** The envelope of the service's responses, and the status. */
interface Answer {
  status: number;
  message: string;
  data: Partial<Record<string, unknown>>;
}

interface Call {
  method: 'GET' | 'POST';
  path: string;
  authorization: string;
  body?: object;
}

/** The running service, called as an integrator would. */
export class Sandbox {
  readonly baseUrl: string;
  readonly clientId: string;
  private readonly clientSecret: string;
  private readonly tenantId: string | undefined;

  /** @throws ToolFault without the service's address or credentials */
  static async find(dataDir: string, env: NodeJS.ProcessEnv): Promise<Sandbox> {
    const file = join(dataDir, 'demo.env');
    const kept = parseEnv(await readFile(file, 'utf8').catch(() => ''));
    const known = Object.fromEntries(NAMES.map((name) => [name, env[name] || kept[name] || undefined]));
    const { BASE_URL, CLIENT_ID, CLIENT_SECRET, VERIFIED_TENANT_ID } = known;
    if (BASE_URL && !/^https?:/.test(URL.parse(BASE_URL)?.protocol ?? ''))
      throw new ToolFault(`BASE_URL is "${BASE_URL}"; ${LOOKS_LIKE}`);
    if (BASE_URL && CLIENT_ID && CLIENT_SECRET)
      return new Sandbox(BASE_URL, CLIENT_ID, CLIENT_SECRET, VERIFIED_TENANT_ID);
    const near = relative('', file);
    throw new ToolFault(
      `${near.startsWith('..') ? file : near} is not there. Start the sandbox in another terminal, it makes the file: npm start\nFor a service elsewhere, set BASE_URL, CLIENT_ID and CLIENT_SECRET.`,
    );
  }

  private constructor(baseUrl: string, clientId: string, clientSecret: string, tenantId: string | undefined) {
    this.baseUrl = baseUrl;
    this.clientId = clientId;
    this.clientSecret = clientSecret;
    this.tenantId = tenantId;
  }

  /** @returns the id of the webhook */
  async register(url: string, secret: string): Promise<string> {
    const authorization = await this.signIn();
    const body = { url, secret };
    const { id } = await this.call({ method: 'POST', path: '/webhooks/create-webhook', authorization, body });
    if (typeof id !== 'string') throw new ToolFault('the service registered a webhook without an id.');
    return id;
  }

  /** Verifies a tenant without a click: KYC, national eID and the analysis of their documents succeed. */
  async verifyTenant(): Promise<void> {
    const { tenantId } = this;
    if (!tenantId)
      throw new ToolFault(
        '--trigger needs VERIFIED_TENANT_ID: it is in the demo.env of a sandbox that was started from nothing.',
      );
    const authorization = await this.signIn();
    const id = encodeURIComponent(tenantId);
    await this.call({ method: 'GET', path: `/tenants/initiate-kyc/${id}`, authorization });
    const body = { redirect_url: REDIRECT_URL };
    await this.call({ method: 'POST', path: `/tenants/initiate-eid/${id}`, authorization, body });
  }

  /**
   * A token lives for an hour, and this program for days, so each use gets its own token.
   * @returns the header Authorization
   * @throws ToolFault when the service does not accept the credentials
   */
  async signIn(): Promise<string> {
    const basic = Buffer.from(`${this.clientId}:${this.clientSecret}`).toString('base64');
    const answer = await this.ask({ method: 'POST', path: '/authenticate/token', authorization: `Basic ${basic}` });
    if (answer.status === 401)
      throw new ToolFault(
        `CLIENT_ID and CLIENT_SECRET are refused at ${this.baseUrl}. Are those of your shell out of date? unset CLIENT_ID CLIENT_SECRET`,
      );
    if (answer.status === 404)
      throw new ToolFault(`the service answers, but has no API there: BASE_URL is "${this.baseUrl}"; ${LOOKS_LIKE}`);
    return `Bearer ${dataOf(answer)['access_token']}`;
  }

  /** @returns the response's `data` @throws ToolFault with the message of the service */
  private async call(call: Call): Promise<Answer['data']> {
    return dataOf(await this.ask(call));
  }

  /** @throws ToolFault when the service does not answer */
  private async ask({ method, path, authorization, body }: Call): Promise<Answer> {
    const response = await fetch(this.baseUrl.replace(/\/$/, '') + path, {
      method,
      headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch(() => undefined);
    if (response?.headers.get('content-type') !== 'application/json') throw this.absence(response);
    const { message, data } = Object(await response.json());
    return { status: response.status, message: String(message ?? response.statusText), data: Object(data) };
  }

  private absence(response: Response | undefined): ToolFault {
    const { port } = new URL(this.baseUrl);
    const start = port === '' || port === '3000' ? 'npm start' : `PORT=${port} npm start`;
    return new ToolFault(
      response
        ? `what answers at ${this.baseUrl} is not this service (${response.status}, no JSON).`
        : `no service answers at ${this.baseUrl}. Start it in another terminal: ${start}`,
    );
  }
}

/** @throws ToolFault with the message of the service */
function dataOf({ status, message, data }: Answer): Answer['data'] {
  if (status === 200) return data;
  throw new ToolFault(`the service answers ${status} ${message}`);
}
