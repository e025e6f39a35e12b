import { once } from 'node:events';
import { expect } from 'chai';
import express, { type Express } from 'express';
import type { Page } from 'playwright-core';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually, signal } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { addDelivery } from '../../harness/service/deliveries.ts';
import { addressOf } from '../../harness/service/every-route.ts';
import { startTestService } from '../../harness/service/service.ts';
import { LivePages } from '../../http/backoffice/live.ts';
import { consoleRoutes } from '../../http/backoffice/routes.ts';
import { useOperatorAtWork } from './at-work.ts';
import { addOperator, CONSOLE, consoleUrl, OperatorBrowser } from './operators.ts';

databases('either');

const FAILED = { status: 'failed', due_at: null, last_error: 'answered 500', last_status_code: 500 } as const;
const MAX_PER_ACCOUNT = 3;
const MAX_STREAMS = 30;

/** Listens to server-sent events as a browser does. */
async function listen(operator: OperatorBrowser, path: string) {
  const [cookie] = operator.browser.cookies.get(new URL(operator.base).origin) ?? [];
  const leaving = new AbortController();
  const answer = await fetch(`${operator.base}${path}`, {
    headers: { accept: 'text/event-stream', cookie: `console=${cookie?.value}` },
    signal: leaving.signal,
  });
  let text = '';
  let isOver = false;
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const piece of answer.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      signal();
    }
  };
  const over = read()
    .catch(() => {})
    .finally(() => {
      isOver = true;
      signal();
    });
  return {
    status: answer.status,
    headers: answer.headers,
    states: () => [...text.matchAll(/^data: (\S+)$/gm)].map(([, state]) => state),
    text: () => text,
    isOver: () => isOver,
    async leave() {
      leaving.abort();
      await over;
    },
  };
}

async function listening(app: Express) {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It listens at no port.');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/** The service may not have noticed yet that another stream was closed. */
function joined(operator: OperatorBrowser, path: string) {
  return until('there was room', async () => {
    const stream = await listen(operator, path);
    return stream.status === 200 && stream;
  });
}

describe('pages of the console that update themselves', () => {
  const { test, scene, operator, example } = useOperatorAtWork();
  afterEach(() => test.setNow(new Date()));

  const addFailed = () =>
    addDelivery(test, example('/people/'), {
      ...FAILED,
      webhook_id: scene.hook.id,
      attempts: 1,
      tries: [{ status_code: 500, error: 'answered 500' }],
    });

  it('identify their state by a digest that changes with the content', async () => {
    const { text } = await operator.open('/deliveries?status=failed');
    const stream = await listen(operator, '/deliveries?status=failed');
    expect(stream.headers.get('content-type')).to.match(/^text\/event-stream/);
    expect(stream.headers.get('cache-control')).to.equal('no-store');
    await eventually('the state arrived', () => stream.states().length === 1);
    expect(text).to.include(`data-live="${stream.states()[0]}"`);
    await addFailed();
    // The row and its attempts are added one after the other: a look in between sees another state.
    await until('the new state arrived', async () => {
      const [shown, ...later] = stream.states();
      const { text } = await operator.open('/deliveries?status=failed');
      return later.length > 0 && later.at(-1) !== shown && text.includes(`data-live="${later.at(-1)}"`);
    });
    await stream.leave();
  });

  it('audit no reads: pages that do are never updated automatically', async () => {
    const entries = async () => Number((await test.service.runtime.db('audit_entries').count({ n: '*' }))[0]?.n);
    for (const route of consoleRoutes) {
      if (route.method !== 'GET') continue;
      const path = addressOf(route, scene);
      const before = await entries();
      const answer = await operator.browser.open(`${operator.base}${path}`);
      if (answer.text.includes('data-live=')) expect(await entries(), path).to.equal(before);
    }
  });

  it('have a limited number of streams, per account and in total', async () => {
    const full = await OperatorBrowser.signIn(test, 'viewer');
    const streams = [];
    for (let number = 0; number < MAX_PER_ACCOUNT; number++) streams.push(await joined(full, '/'));
    const refused = await listen(full, '/');
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([429, '60']);
    expect((await full.open('/')).status).to.equal(200);
    while (streams.length < MAX_STREAMS) {
      const other = await OperatorBrowser.signIn(test, 'viewer');
      for (let number = 0; number < MAX_PER_ACCOUNT; number++) streams.push(await joined(other, '/deliveries'));
    }
    const last = await OperatorBrowser.signIn(test, 'viewer');
    expect((await listen(last, '/')).status).to.equal(429);
    await streams.pop()?.leave();
    streams.push(await joined(last, '/'));
    for (const stream of streams) await stream.leave();
  });

  it('do not count a browser that left while its page was read', async () => {
    const live = new LivePages(test.service.runtime);
    const who = { accountId: 'account', session: 'session' };
    const page = { address: '/', look: async () => 'state', state: 'state' };
    const app = express();
    let left = Promise.withResolvers<boolean>();
    app.use((_req, res) => {
      res.once('close', () => {
        live.open(res, who, page);
        left.resolve(live.hasRoom(who.accountId));
      });
      res.socket?.destroy();
    });
    const server = await listening(app);
    for (let visit = 0; visit < MAX_PER_ACCOUNT; visit++) {
      left = Promise.withResolvers();
      await fetch(server.url).catch(() => {});
      expect(await left.promise, `after ${visit + 1}`).to.equal(true);
    }
    await server.close();
    await live.close();
  });

  it('stop with the session, at sign-out and after half an hour of inactivity, regardless of updates', async () => {
    const start = Date.now();
    const leaving = await OperatorBrowser.signIn(test, 'viewer');
    const idle = await OperatorBrowser.signIn(test, 'viewer');
    const [one, other] = [await joined(leaving, '/'), await joined(idle, '/')];
    await leaving.act('/sign-out');
    await eventually('the stream of who signed out has ended', one.isOver);
    expect(one.text()).to.match(/event: over/);
    const [cookie] = idle.browser.cookies.get(new URL(idle.base).origin) ?? [];
    const byItself = { cookie: `console=${cookie?.value}`, 'console-refresh': 'true' };
    for (const minutes of [10, 20, 29]) {
      test.setNow(new Date(start + minutes * 60_000));
      expect((await fetch(`${idle.base}/`, { headers: byItself })).status).to.equal(200);
      await (await joined(idle, '/')).leave();
    }
    test.setNow(new Date(start + 31 * 60_000));
    await eventually('the stream of the idle session has ended', other.isOver);
    expect(other.text()).to.match(/event: over/);
    expect((await listen(idle, '/')).status).to.equal(401);
  });

  it('stop when their resource is gone', async () => {
    const id = await addFailed();
    const stream = await joined(operator, `/deliveries/${id}`);
    await test.service.runtime.db('delivery_attempts').where({ delivery_id: id }).delete();
    await test.service.runtime.db('deliveries').where({ id }).delete();
    await eventually('the stream has ended', stream.isOver);
    expect(stream.text()).to.match(/event: over/);
  });

  describe('in a browser', () => {
    let chromium: TestBrowser;
    let page: Page;
    let problems: string[];
    before(async () => {
      chromium = await launchBrowser();
      const { link } = await addOperator(test, 'operator');
      ({ page, problems } = await visit(chromium.browser, link, [test.service.operatorsUrl ?? '']));
      await page.getByRole('button', { name: 'Sign in' }).click();
    });
    after(() => chromium?.stop());

    it('show a failed delivery, and keep the keyboard focus and what is chosen', async () => {
      let loads = 0;
      await page.goto(`${consoleUrl(test)}/deliveries?status=failed`);
      page.on('framenavigated', () => {
        loads += 1;
      });
      const before = await page.locator('tbody tr').count();
      const link = page.locator('tbody a').last();
      const choices = page.getByRole('checkbox');
      const count = await choices.count();
      await choices.last().check();
      await link.focus();
      const focused = await link.getAttribute('href');
      const id = await addFailed();
      await page.locator(`tbody a[href$="${id}"]`).waitFor();
      expect(await page.locator('tbody tr').count()).to.equal(before + 1);
      expect(await page.evaluate('document.activeElement.getAttribute("href")')).to.equal(focused);
      expect(await choices.count()).to.equal(count + 1);
      expect(await page.getByRole('checkbox', { checked: true }).count()).to.equal(1);
      expect(await choices.last().isChecked()).to.equal(true);
      expect(loads).to.equal(0);
      await page.getByText(/^Updated \d\d:\d\d:\d\d$/).waitFor();
    });

    it('show the outcome of an attempt, and offer redelivery without a reload', async () => {
      const due_at = new Date(Date.now() + 3_600_000).toISOString();
      const id = await addDelivery(test, example('/people/'), { webhook_id: scene.hook.id, status: 'pending', due_at });
      await page.goto(`${consoleUrl(test)}/deliveries/${id}`);
      await page.locator('h1 .badge', { hasText: 'pending' }).waitFor();
      expect(await page.getByText('answered 500').count()).to.equal(0);
      await test.service.runtime.db('deliveries').where({ id }).update(FAILED);
      await page.locator('h1 .badge', { hasText: 'failed' }).waitFor();
      await page.getByText('It failed: answered 500.').waitFor();
      await page.getByRole('button', { name: 'Deliver again' }).click();
      await page.getByText('The delivery is sent again.').waitFor();
    });

    it('preserve open details and typed text, and pause on request', async () => {
      await page.goto(`${consoleUrl(test)}/`);
      await page.locator('summary').first().click();
      await addFailed();
      await page.getByText(/^Updated/).waitFor();
      expect(await page.locator('details[open]').count()).to.equal(1);
      await page.goto(`${consoleUrl(test)}/audit`);
      await page.getByLabel('Resource').fill('half a word');
      await page.getByRole('button', { name: 'Verify the chain' }).press('Enter');
      await page.getByText('The audit log holds').waitFor();
      await page.getByLabel('Resource').fill('half a word');
      await test.alice.ok('createApplication', {
        body: { title: 'One more', tenants: [{ email: 'one@more.example', is_lead: true }] },
      });
      await page.locator('tbody code', { hasText: 'application.create' }).first().waitFor();
      expect(await page.getByLabel('Resource').inputValue()).to.equal('half a word');
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: 'Resume updates' }).waitFor();
      expect(problems).to.deep.equal([]);
    });

    it('replace the content with a notice that the session is over', async () => {
      await page.goto(`${consoleUrl(test)}/deliveries`);
      test.setNow(new Date(Date.now() + 31 * 60_000));
      await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    });
  });
});

describe('a stop while pages of the console are open', () => {
  it('ends their streams, and does not wait for them', async () => {
    const test = await startTestService({ ...CONSOLE, RUN_WORKERS: 'false' });
    let isStopped = false;
    try {
      const operator = await OperatorBrowser.signIn(test, 'viewer');
      const streams = [await listen(operator, '/'), await listen(operator, '/deliveries')];
      await eventually('their states arrived', () => streams.every((stream) => stream.states().length > 0));
      await test.stop();
      isStopped = true;
      await eventually('they have ended', () => streams.every((stream) => stream.isOver()));
    } finally {
      if (!isStopped) await test.stop();
    }
  });
});
