import { createServer } from 'node:http';
import type { Browser, BrowserContextOptions, FrameLocator } from 'playwright-core';
import { launchBrowser, type Visit, visit } from '../../harness/browser/browser.ts';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { listen } from '../../harness/process/running-server.ts';
import { until } from '../../harness/process/until.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';

/** An integrator's page with a verification in a frame. */
export interface Embedded extends Visit {
  frame: FrameLocator;
  /** Waits for this many messages from the frame, except height messages, and returns all of them as origin, type and text. */
  told(count?: number): Promise<string[]>;
}

export interface Stage {
  test: TestService;
  browser: Browser;
  /** The same integrator at two origins; the first is cross-site to the service. */
  ours: string;
  foreign: string;
  /** The address that initiate-kyc gives for a new person. */
  kyc(email: string, name?: string): Promise<string>;
  /** Opens an address outside a frame. */
  open(address: string, options?: BrowserContextOptions): Promise<Visit>;
  /** Opens a page of the integrator with the address in a frame. @param attributes of the frame @param origin of the integrator */
  embed(address: string, attributes?: string, origin?: string): Promise<Embedded>;
  stop(): Promise<void>;
}

/** The headers that make a page cross-origin isolated and its frames eligible. */
const ISOLATED = new Headers({
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Opener-Policy': 'same-origin',
});

/** A service, a browser, and a cross-site integrator. */
export async function openStage(env: Record<string, string> = {}): Promise<Stage> {
  const [test, chromium] = await Promise.all([startTestService(env), launchBrowser()]);
  const integrator = await listen(
    createServer((req, res) => {
      const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
      if (pathname.startsWith('/isolated')) res.setHeaders(ISOLATED);
      const [address = 'about:blank', attributes = ''] = ['address', 'attributes'].map(
        (name) => searchParams.get(name) ?? undefined,
      );
      res.setHeader('Content-Type', 'text/html').end(around(address, attributes));
    }),
    0,
  );
  const foreign = integrator.url;
  const ours = foreign.replace('127.0.0.1', 'localhost');
  const open = (address: string, options: BrowserContextOptions = {}) =>
    visit(chromium.browser, address, [test.service.url, ours, foreign], options);
  return {
    test,
    browser: chromium.browser,
    ours,
    foreign,
    kyc: (email, name) => startKyc(test, email, name),
    open,
    embed: async (address, attributes = '', origin = ours) => {
      const opened = await open(`${origin}/?${new URLSearchParams({ address, attributes })}`);
      const { page } = opened;
      const messages = () => page.locator('li').allTextContents();
      const told = async (count = 1) => {
        await until(`the frame told ${count} messages`, async () => (await messages()).length >= count);
        // Messages are ordered: all messages of the page itself came before this one.
        const frame = page.frames().at(-1);
        await frame?.evaluate("window.parent.postMessage('that is all', '*')");
        await page.getByText('that is all').waitFor();
        return (await messages()).slice(0, -1);
      };
      return { ...opened, frame: page.frameLocator('iframe'), told };
    },
    stop: async () => {
      await chromium.stop();
      await integrator.stop();
      await test.stop();
    },
  };
}

/** By default the person has already agreed; `isAgreed: false` leaves that open. */
export async function startKyc(
  test: TestService,
  email: string,
  name = 'Marta Ruiz',
  isAgreed = true,
): Promise<string> {
  const { id } = await test.tenant(email, { name });
  const body = { title: email, tenants: [{ email, is_lead: true }] };
  const { application_id } = (await test.alice.ok('createApplication', { body })).data;
  await test.alice.ok('updateParticipant', { params: { applicationId: application_id, email }, body: { name } });
  const { verification_url } = (await test.alice.ok('initiateKyc', { params: { tenantId: id } })).data;
  if (isAgreed) await new WebBrowser().agree(verification_url);
  return verification_url;
}

const around = (address: string, attributes: string) => `<!doctype html><html lang="en"><title>Integrator</title>
<link rel="icon" href="data:,"><iframe title="Verification" src="${address}" width="640" height="560" ${attributes}></iframe><ol></ol>
<script>
  addEventListener('message', ({ origin, data }) => {
    if (data.event === 'KYC_HEIGHT' && document.querySelector('iframe').src.includes('height=1')) return (document.querySelector('iframe').dataset.height = data.height);
    document.querySelector('ol').append(Object.assign(document.createElement('li'), { textContent: [origin, typeof data, data].join(' ') }));
  });
</script>`;
