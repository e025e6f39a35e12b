import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { barriersOn, described } from '../../harness/browser/axe.ts';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { useService } from '../../harness/service/service.ts';
import type { OfficeRoute } from '../../http/backoffice/route.ts';
import { consoleRoutes, deskRoutes } from '../../http/backoffice/routes.ts';
import { addOperator, CONSOLE, consoleUrl } from '../console/operators.ts';
import { addressOf, type Scene, setScene } from '../console/scene.ts';
import { addTestMember, MemberBrowser } from './members.ts';

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
      const { status, text } = await agent.act('/applications/new', { ...form, client_id: 'of no one' });
      expect(status).to.equal(400);
      expect(faultsOf(text)).to.deep.equal([
        'Give a title of at most 255 characters.',
        'teo is no e-mail address.',
        'Each person needs their own e-mail address.',
        'Choose one of your API keys that is in force.',
      ]);
      for (const name of ['title', 'email-2', 'email-3', 'client_id'])
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
      const long = await agent.act('/keys', { name: 'x'.repeat(9_000) });
      expect(long.status).to.equal(400);
      expect(long.text).to.match(/href="[./]*desk\/keys">Back to the page/);
    });
  });
});
