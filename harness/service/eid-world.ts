import type { EidFlowRow } from '../../db/identity/eid-flows.ts';
import { type Page, WebBrowser } from '../browser/web-browser.ts';
import { OidcProvider } from '../peers/oidc-provider.ts';
import { eventually } from '../process/signals.ts';
import { startTestService, type TestService } from './service.ts';

/** The caller's redirect address with unusual characters: it must be reached exactly. */
export const BACK = 'https://letting.example/eid/finished?case=8121&x=%20#end';

/** A service with an actual national eID provider, and people on their way through both. */
interface EidWorld {
  provider: OidcProvider;
  test: TestService;
  callback: string;
  /** An account that Alice may address. @returns its id */
  applicant(email: string): Promise<string>;
  /** The answer of initiate-eid; its person has agreed to the check. */
  link(tenantId: string): Promise<string>;
  /** A new flow of a new person, and their browser. */
  person(login?: string): Promise<EidPerson>;
  flow(tenantId: string): Promise<EidFlowRow | undefined>;
  status(tenantId: string): Promise<string | undefined>;
  /** Waits until the documents of the flow are downloaded. */
  succeeded(tenantId: string): Promise<void>;
  documents(tenantId: string): Promise<{ name: string; text: string }[]>;
  /** The events about a person. */
  events(tenantId: string): Promise<string[]>;
  stop(): Promise<void>;
}

interface EidPerson {
  tenantId: string;
  link: string;
  browser: WebBrowser;
  /** From the link through the provider to the redirect back, which is not followed yet. */
  signIn(form?: Record<string, string>): Promise<string>;
  /** The whole authorization. @returns the answer of our callback */
  authorize(form?: Record<string, string>): Promise<Page>;
}

/** Ada has a high assurance level, Eve a low one. */
export async function startEidWorld(env: Record<string, string> = {}): Promise<EidWorld> {
  const provider = await OidcProvider.start();
  provider.people.set('ada', { level: 'high', claims: { name: 'Ada Lovelace', birthdate: '1815-12-10' } });
  provider.people.set('eve', { level: 'low', claims: { name: 'Eve' } });
  const test = await startTestService({ ...provider.env(), EID_ACR_VALUES: 'substantial high', ...env });
  const { db, providers } = test.service.runtime;
  const callback = `${test.service.url}/verify/eid/callback`;
  provider.register(callback);
  let people = 0;
  const world: EidWorld = {
    provider,
    test,
    callback,
    async applicant(email) {
      await test.alice.ok('createApplication', { body: { title: email, tenants: [{ email, is_lead: true }] } });
      return (await test.tenant(email)).id;
    },
    async link(tenantId) {
      const { data } = await test.alice.ok('initiateEid', { params: { tenantId }, body: { redirect_url: BACK } });
      await new WebBrowser().agree(data.verification_link);
      return data.verification_link;
    },
    async person(login = 'ada') {
      const tenantId = await world.applicant(`person-${++people}@mail.example`);
      const [link, browser] = [await world.link(tenantId), new WebBrowser()];
      const signIn = (form: Record<string, string> = { login }) => browser.signIn(link, `${callback}?`, form);
      return { tenantId, link, browser, signIn, authorize: async (form) => browser.open(await signIn(form)) };
    },
    flow: (tenant_id) => db('eid_flows').where({ tenant_id }).first(),
    status: async (tenantId) => (await world.flow(tenantId))?.status,
    async succeeded(tenantId) {
      await eventually('the documents are there', async () => (await world.status(tenantId)) === 'succeeded');
    },
    async documents(tenant_id) {
      const rows = await db('documents').where({ tenant_id, source: 'eid' }).select('name', 'sha256').orderBy('name');
      const read = async (sha256: string) =>
        Buffer.concat(await Array.fromAsync(providers.documents.get(sha256))).toString();
      return Promise.all(rows.map(async ({ name, sha256 }) => ({ name, text: await read(sha256) })));
    },
    events: async (tenant_id) => (await db('events').where({ tenant_id }).select('event')).map(({ event }) => event),
    async stop() {
      await test.stop();
      await provider.stop();
    },
  };
  return world;
}
