import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { Overloaded } from '../../core/errors.ts';
import { barriersOn, described } from '../../harness/browser/axe.ts';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { addressOf } from '../../harness/service/every-route.ts';
import { addTestMember, MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import type { OfficeRoute } from '../../http/backoffice/route.ts';
import { consoleRoutes, deskRoutes } from '../../http/backoffice/routes.ts';
import { addOperator, CONSOLE, consoleUrl } from '../console/operators.ts';
import { type Scene, setScene } from '../console/scene.ts';

databases('either');

/** What a form holds, without what every form holds, as the browser knows it. */
const FORMS = `[...document.querySelectorAll('main form[method=post]')].map((form) => {
  const own = [...form.elements].filter(({ name }) => name && !['csrf', 'at'].includes(name));
  const valueOf = (one) => (one.type === 'checkbox' ? String(one.checked) : one.value);
  return {
    action: new URL(form.action).pathname,
    hidden: own.filter(({ type }) => type === 'hidden').map((one) => one.name + '=' + one.value).join('&'),
    fields: own.filter(({ type }) => !['hidden', 'file'].includes(type)).map((one) => [one.name, valueOf(one)]),
    hasText: own.some(({ type }) => ['text', 'email', 'url', 'textarea'].includes(type)),
    hasAlert: form.contains(document.activeElement) && document.activeElement.getAttribute('role') === 'alert',
  };
})`;

interface Shown {
  action: string;
  hidden: string;
  fields: [name: string, value: string][];
  hasText: boolean;
  hasAlert: boolean;
}

/** Longer than any text that a form takes, past what a browser lets a person type. */
const fillIn = (index: number) => `(() => {
  const form = document.querySelectorAll('main form[method=post]')[${index}];
  for (const [number, one] of [...form.elements].entries())
    if (one.type === 'checkbox') one.checked = true;
    else if (one.tagName === 'SELECT') one.selectedIndex = one.options.length - 1;
    else if (['text', 'email', 'url', 'textarea'].includes(one.type)) one.value = 'typed-' + number + 'x'.repeat(one.type === 'textarea' ? 1_010 : 510);
})()`;
const submit = (index: number) => `document.querySelectorAll('main form[method=post]')[${index}].submit()`;

const FINAL = `[...document.querySelectorAll('button.final')].map((button) => button.closest('details:not([open])') !== null)`;

const pagesOf = (routes: readonly Pick<OfficeRoute, 'method' | 'path'>[]) =>
  routes.filter((route) => route.method === 'GET' && !('isFile' in route)).map(({ path }) => path);

describe('the forms of the offices', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const scene: Scene = suiteFixture(() => setScene(test));
  let chromium: TestBrowser;
  before(async () => {
    chromium = await launchBrowser();
  });
  after(() => chromium?.stop());

  const offices = {
    desk: {
      paths: pagesOf(deskRoutes),
      refused: [
        ...['/analyses/:id/decide', '/applications/:id/ask-document', '/applications/:id/payment'],
        '/applications/:id/participant',
        ...['/applications/new', '/keys', '/keys/:id/revoke', '/members', '/properties/:id', '/properties/new'],
        ...['/reports/:id/share', '/settings', '/settings/brand', '/settings/retention', '/webhooks/:id/pause'],
        ...['/webhooks/new', '/workspaces', '/workspaces/:id/rename'],
      ],
      enter: async () => {
        const { link, id } = await addTestMember(test, 'admin', { landlordId: test.landlords.ours });
        return { link, url: `${test.service.url}/desk`, member: id };
      },
    },
    console: {
      paths: pagesOf(consoleRoutes),
      refused: [
        ...['/analyses/:id/decide', '/applications/:id/ask-document', '/applications/:id/payment', '/audit'],
        '/applications/:id/participant',
        ...['/keys/:id/revoke', '/landlords/:id/brand', '/landlords/:id/members', '/landlords/:id/retention'],
        ...['/landlords/:id/settings', '/privacy/requests/:id/refuse', '/reports/:id/share', '/webhooks/:id/pause'],
      ],
      enter: async () => ({ link: (await addOperator(test, 'operator')).link, url: consoleUrl(test), member: '' }),
    },
  } as const;

  for (const [name, { paths, refused, enter }] of Object.entries(offices))
    describe(`of the ${name}`, () => {
      let page: Page;
      let base: { url: string; member: string };
      before(async () => {
        const { link, ...entered } = await enter();
        base = entered;
        ({ page } = await visit(chromium.browser, link, [test.service.url, test.service.operatorsUrl ?? '']));
        await page.locator('main form button').click();
        await page.getByRole('heading', { name: 'Overview' }).waitFor();
      });
      const addressFor = (path: string) => {
        const examples = { ...scene.examples, '/members/': base.member };
        return `${base.url}${path.includes('/:') ? addressOf({ path }, { examples }) : path}`;
      };
      /** Without its ids. */
      const actionIn = (action: string) =>
        action.replace(`/${name}`, '').replaceAll(/\w{8}-\w{4}-[\w-]{22}|(?<=workspaces\/)[\w-]+(?=\/)/g, ':id');

      it('show again what was typed, with the focus on the fault, when they are refused', async () => {
        const found = new Set<string>();
        for (const path of paths) {
          await page.goto(addressFor(path));
          const forms = await page.evaluate<Shown[]>(FORMS);
          for (const [index, { hasText }] of forms.entries()) {
            if (!hasText) continue;
            await page.goto(addressFor(path));
            await page.evaluate(fillIn(index));
            const typed = (await page.evaluate<Shown[]>(FORMS))[index] ?? expect.fail('the form is gone');
            const [answer] = await Promise.all([
              page.waitForResponse((one) => one.request().method() === 'POST'),
              page.waitForNavigation(),
              page.evaluate(submit(index)),
            ]);
            // What a table holds is read and refused line by line.
            if (answer.status() === 200 && typed.action.endsWith('/import')) continue;
            expect(answer.status(), typed.action).to.equal(400);
            await page.locator('[role=alert]:focus').waitFor();
            const again = (await page.evaluate<Shown[]>(FORMS)).find(
              ({ action, hidden }) => action === typed.action && hidden === typed.hidden,
            );
            expect(again, typed.action).to.deep.equal({ ...typed, hasAlert: true });
            expect(await page.title()).to.match(/^Error: /);
            expect(await page.locator('[role=alert]').isVisible(), typed.action).to.equal(true);
            found.add(actionIn(typed.action));
          }
        }
        expect([...found].sort()).to.deep.equal([...refused].sort());
        expect(described(await barriersOn(page))).to.deep.equal([]);
      });

      it('ask once more before what cannot be undone', async () => {
        let count = 0;
        for (const path of paths) {
          await page.goto(addressFor(path));
          const closed = await page.evaluate<boolean[]>(FINAL);
          expect(closed, path).to.not.include(false);
          count += closed.length;
        }
        expect(count).to.be.at.least(3);
      });
    });

  describe('name', () => {
    const agent = suiteFixture(() =>
      MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] }),
    );
    const faultsOf = (text: string) =>
      [...(/<div class="faults"[^>]*>([\s\S]*?)<\/div>/.exec(text)?.[1] ?? '').matchAll(/<li>(.*?)<\/li>/g)].map(
        ([, fault = '']) => readable(fault),
      );

    it('every fault at once, and mark its field', async () => {
      const form = { title: '', 'email-1': 'lea@mail.example', 'email-2': 'teo', 'email-3': 'LEA@mail.example' };
      const others = { client_id: 'of no one', property: 'of no one' };
      const { status, text } = await agent.act('/applications/new', { ...form, ...others });
      expect(status).to.equal(400);
      expect(faultsOf(text)).to.deep.equal([
        'Give a title of at most 255 characters.',
        'teo is no e-mail address.',
        'Each person needs their own e-mail address.',
        'You have no property with this reference or identifier.',
        'Choose one of your API keys that is in force.',
      ]);
      for (const name of ['title', 'email-2', 'email-3', 'property', 'client_id'])
        expect(text).to.match(new RegExp(`name="${name}"[^>]* aria-invalid="true" aria-describedby="faults"`));
      expect(text).to.match(/name="email-1" value="lea@mail\.example"/);
      expect(text).to.not.match(/name="email-1"[^>]*aria-invalid/);
      const places = { rent_amount: 'a lot', floor: 'attic', street: 'Calle Mayor', workspace: 'absent' };
      const property = await agent.act('/properties/new', places);
      expect(faultsOf(property.text)).to.have.length(3);
      const settings = { contact_mail: 'no address', privacy_url: 'ftp://x.example', contact_name: 'Clara' };
      expect(faultsOf((await agent.act('/settings', settings)).text)).to.have.length(2);
      const invited = await agent.act('/members', { name: '', email: 'no address', role: 'agent' });
      expect(faultsOf(invited.text)).to.have.length(2);
    });

    it('never a page that the member may not open, and lead back from a form that has none', async () => {
      const viewer = await MemberBrowser.signIn(test, 'viewer', { landlordId: test.landlords.ours });
      const refused = await viewer.act('/account/rename-passkey', { at: 'settings', passkey: 'none', name: '' });
      expect(refused.status).to.equal(400);
      expect(readable(refused.text)).to.include('Your passkeys').and.to.not.include('For applicants');
      const outside = await agent.act('/account/rename-passkey', {
        at: 'https://evil.example/',
        passkey: '',
        name: '',
      });
      expect(outside.text).to.not.include('evil.example');
      const missing = await agent.act('/members/absent/invite', {});
      expect(missing.status).to.equal(404);
      expect(missing.text).to.not.include('Back to the page');
    });
  });

  describe('come back as they were sent, with the reason,', () => {
    const admin = suiteFixture(() =>
      MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] }),
    );
    const valueIn = (text: string, name: string) =>
      readable(new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? expect.fail(`no field ${name}`));
    const faultIn = (text: string) => readable(/<div class="faults"[^>]*>([\s\S]*?)<\/div>/.exec(text)?.[1] ?? '');

    it('from an earlier session, and are taken when they are sent again', async () => {
      const form = { name: 'Key of the other tab' };
      const stale = await admin.act('/keys', { ...form, csrf: 'x'.repeat(64) });
      expect([stale.status, valueIn(stale.text, 'name')]).to.deep.equal([403, form.name]);
      expect(faultIn(stale.text)).to.include('You have signed in again');
      expect(await test.service.runtime.db('api_keys').where(form)).to.deep.equal([]);
      const again = {
        ...form,
        csrf: readable(/action="[^"]*keys">\s*<input [^>]*value="([^"]*)"/.exec(stale.text)?.[1] ?? ''),
      };
      expect((await admin.browser.open(`${admin.base}/keys`, again)).status).to.equal(200);
    });

    it('but not to another site, which may have sent them', async () => {
      for (const site of ['cross-site', 'same-site', 'none']) {
        admin.browser.headers = { 'sec-fetch-site': site };
        const { status, text } = await admin.act('/keys', { name: 'Typed elsewhere', csrf: '' });
        expect(status).to.equal(403);
        expect(text).to.not.include('Typed elsewhere');
      }
      admin.browser.headers = {};
    });

    it('when they are long, up to what a table may be, in any script', async () => {
      const long = 'x'.repeat(200_000);
      const refused = await admin.act('/keys', { name: long });
      expect(refused.status).to.equal(400);
      expect(valueIn(refused.text, 'name')).to.equal(long);
      // Encoded, it has six bytes for each letter.
      const arabic = { contact_name: 'م'.repeat(200), privacy_url: `https://letting.example/${'م'.repeat(400)}` };
      const form = {
        ...arabic,
        contact_mail: 'no address',
        contact_phone: '8'.repeat(500),
        rent_rule: 'x'.repeat(500),
      };
      const settings = await admin.act('/settings', { ...form, documents: 'م'.repeat(500) });
      expect(settings.status).to.equal(400);
      for (const [name, value] of Object.entries(form)) expect(valueIn(settings.text, name)).to.equal(value);
    });

    it('when they are longer, without what was not read', async () => {
      const { status, text } = await admin.act('/keys', { name: 'x'.repeat(400 * 1024) });
      expect([status, valueIn(text, 'name')]).to.deep.equal([400, '']);
      expect(faultIn(text)).to.include('it is too long');
    });

    it('with characters that cannot be stored', async () => {
      const { status, text } = await admin.act('/settings', { contact_name: 'Clara\0', contact_phone: '+34 600' });
      expect([status, valueIn(text, 'contact_phone')]).to.deep.equal([400, '+34 600']);
      expect(faultIn(text)).to.include('characters that cannot be stored');
    });

    it('with a file that is too large', async () => {
      const { text: page } = await admin.open('/settings');
      const [cookie] = admin.browser.cookies.get(new URL(admin.base).origin) ?? [];
      const form = new FormData();
      form.set('csrf', readable(/name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''));
      form.set('colour', '#0a7d33');
      form.set('logo', new Blob([Buffer.alloc(9 * 1024 * 1024)]), 'logo.png');
      const headers = { cookie: `${cookie?.name}=${cookie?.value}` };
      const answer = await fetch(`${admin.base}/settings/brand`, { method: 'POST', headers, body: form });
      const text = await answer.text();
      expect([answer.status, valueIn(text, 'colour')]).to.deep.equal([400, '#0a7d33']);
      expect(faultIn(text)).to.include('at most 2 MiB');
    });

    it('while the service is busy, or fails', async () => {
      const { queue } = test.service.runtime;
      const { send } = queue;
      const form = { title: 'A loft', 'email-1': 'lea@mail.example', 'email-2': 'teo@mail.example' };
      try {
        for (const [error, status, words] of [
          [new Overloaded(), 503, 'Too much is under way'],
          [new Error('a fault of the service'), 500, 'Something failed'],
        ] as const) {
          queue.send = async () => {
            throw error;
          };
          const answer = await admin.act('/applications/new', { ...form, client_id: test.alice.clientId });
          expect(answer.status).to.equal(status);
          for (const [name, value] of Object.entries(form)) expect(valueIn(answer.text, name)).to.equal(value);
          expect(faultIn(answer.text)).to.include(words);
          expect(answer.headers.has('retry-after')).to.equal(status === 503);
        }
      } finally {
        queue.send = send;
      }
    });

    it('but not to a stranger, of whose form nothing is read', async () => {
      const answer = await fetch(`${admin.base}/keys`, {
        method: 'POST',
        body: new URLSearchParams({ name: 'typed-by-a-stranger'.repeat(5_000) }),
        redirect: 'manual',
      });
      expect(answer.status).to.equal(401);
      expect(await answer.text()).to.not.include('typed-by-a-stranger');
    });
  });
});
