import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import createClient from 'openapi-fetch';
import { OperatorError } from '../../bin/admin/cli/faults.ts';
import type { components, paths } from '../../generated/openapi.d.ts';

const NAMES = ['BASE_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'VERIFIED_TENANT_ID'] as const;
const LOOKS_LIKE = 'it looks like http://127.0.0.1:3000/api/v1.';
/** Where a tenant would return after a national eID; never visited. */
const REDIRECT_URL = 'http://127.0.0.1:4000/back';

/** The running service, called as an integrator would. */
export class Sandbox {
  readonly baseUrl: string;
  readonly clientId: string;
  private readonly clientSecret: string;
  private readonly tenantId: string | undefined;

  /** @throws OperatorError without the service's address or credentials */
  static async find(dataDir: string, env: NodeJS.ProcessEnv): Promise<Sandbox> {
    const file = join(dataDir, 'demo.env');
    const kept = parseEnv(await readFile(file, 'utf8').catch(() => ''));
    const known = Object.fromEntries(NAMES.map((name) => [name, env[name] || kept[name] || undefined]));
    const { BASE_URL, CLIENT_ID, CLIENT_SECRET, VERIFIED_TENANT_ID } = known;
    if (BASE_URL && !/^https?:/.test(URL.parse(BASE_URL)?.protocol ?? ''))
      throw new OperatorError(`BASE_URL is "${BASE_URL}"; ${LOOKS_LIKE}`);
    if (BASE_URL && CLIENT_ID && CLIENT_SECRET)
      return new Sandbox(BASE_URL, CLIENT_ID, CLIENT_SECRET, VERIFIED_TENANT_ID);
    const near = relative('', file);
    throw new OperatorError(
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
    const api = await this.signIn();
    const { id } = dataOf(await api.POST('/webhooks/create-webhook', { body: { url, secret } }));
    if (!id) throw new OperatorError('the service registered a webhook without an id.');
    return id;
  }

  /** Verifies a tenant without a click: KYC, national eID and the analysis of their documents succeed. */
  async verifySomebody(): Promise<void> {
    const { tenantId } = this;
    if (!tenantId)
      throw new OperatorError(
        '--trigger needs VERIFIED_TENANT_ID: it is in the demo.env of a sandbox that was started from nothing.',
      );
    const api = await this.signIn();
    const path = { tenantId };
    dataOf(await api.GET('/tenants/initiate-kyc/{tenantId}', { params: { path } }));
    const body = { redirect_url: REDIRECT_URL };
    dataOf(await api.POST('/tenants/initiate-eid/{tenantId}', { params: { path }, body }));
  }

  /** A token lives for an hour, and this program for days: each use gets its own. @throws OperatorError */
  async signIn() {
    const basic = Buffer.from(`${this.clientId}:${this.clientSecret}`).toString('base64');
    const api = createClient<paths>({ baseUrl: this.baseUrl, fetch: (request) => this.reach(request) });
    const token = await api.POST('/authenticate/token', { headers: { Authorization: `Basic ${basic}` } });
    if (token.response.status === 401)
      throw new OperatorError(
        `CLIENT_ID and CLIENT_SECRET are refused at ${this.baseUrl}. Are those of your shell out of date? unset CLIENT_ID CLIENT_SECRET`,
      );
    if (token.response.status === 404)
      throw new OperatorError(
        `the service answers, but has no API there: BASE_URL is "${this.baseUrl}"; ${LOOKS_LIKE}`,
      );
    const { access_token } = dataOf(token);
    api.use({ onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${access_token}`) });
    return api;
  }

  private async reach(request: Request): Promise<Response> {
    const answer = await fetch(request).catch(() => undefined);
    if (answer?.headers.get('content-type') === 'application/json') return answer;
    const { port } = new URL(this.baseUrl);
    const start = port === '' || port === '3000' ? 'npm start' : `PORT=${port} npm start`;
    if (!answer)
      throw new OperatorError(`no service answers at ${this.baseUrl}. Start it in another terminal: ${start}`);
    throw new OperatorError(`what answers at ${this.baseUrl} is not this service (${answer.status}, no JSON).`);
  }
}

interface Answer<Data> {
  data?: { data: Data };
  error?: components['schemas']['Error'];
  response: Response;
}

/** @throws OperatorError with the message of the service */
function dataOf<Data>({ data, error, response }: Answer<Data>): Data {
  if (data) return data.data;
  throw new OperatorError(`the service answers ${response.status} ${error?.message ?? response.statusText}`);
}
