import { expect } from 'chai';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { addressOf } from '../../harness/service/every-route.ts';
import { addTestMember, MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { consoleRoutes, deskRoutes } from '../../http/backoffice/routes.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';
import { type Scene, setScene } from '../console/scene.ts';

databases('either');

/** Ids that a page shows. */
const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:msg|whe|whsec)_\w{20,}/g;
const SHORT = /<code class="id" title="([^"]+)"(?: tabindex="0")?><bdi dir="ltr">\1<\/bdi><\/code>/g;
/** What was sent, which is not cut. */
const SENT = /<pre\b[^>]*>[\s\S]*?<\/pre>/g;

describe('the ids that console and desk show', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const scene: Scene = suiteFixture(() => setScene(test));
  const admin = suiteFixture(() => MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours }));
  const operator = suiteFixture(() => OperatorBrowser.signIn(test, 'operator'));
  let chromium: TestBrowser;
  after(() => chromium?.stop());
  const shortened = new Set<string>();

  for (const [office, routes, reader] of [
    ['console', consoleRoutes, operator],
    ['desk', deskRoutes, admin],
  ] as const)
    for (const route of routes.filter((one) => one.method === 'GET' && !('isFile' in one)))
      it(`are short, and whole in their title: ${office} ${route.path}`, async () => {
        const examples = { ...scene.examples, '/members/': admin.id };
        const place = route.path.includes(':') ? addressOf(route, { examples }) : route.path;
        const { status, text } = await reader.open(place);
        expect(status).to.equal(200);
        const [, body = ''] = /<body[^>]*>([\s\S]*)<\/body>/.exec(text) ?? [];
        for (const [, id = ''] of body.matchAll(SHORT)) shortened.add(id);
        const rest = body
          .replaceAll(SHORT, '')
          .replaceAll(SENT, '')
          .replaceAll(/<[^>]+>/g, '\n');
        expect(rest.match(IDS) ?? []).to.deep.equal([]);
      });

  it('are found by this test at all', () => {
    expect(shortened.size).to.be.above(10);
  });

  it('are copied whole with one click, and shown whole with the focus', async () => {
    chromium = await launchBrowser();
    const { link } = await addTestMember(test, 'admin', { landlordId: test.landlords.ours });
    const { page } = await visit(chromium.browser, link, [test.service.url]);
    await page.locator('main form button').click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${test.service.url}/desk/webhooks/${scene.hook.id}`);
    const id = page.locator('dd > .id').first();
    const width = async () => (await id.boundingBox())?.width ?? 0;
    const short = await width();
    await page.locator('h1').click();
    await id.click();
    expect(await page.evaluate('String(getSelection())')).to.equal(scene.hook.id);
    await id.focus();
    expect(await width()).to.be.above(2 * short);
  });
});
