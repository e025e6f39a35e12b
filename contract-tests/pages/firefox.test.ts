import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { Firefox } from '../../harness/browser/firefox.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { invitationPath, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

databases('either', 'nightly');

const payslip = sampleDocument(['Payslip January', 'Net pay 2,214.35']);
/** Firefox's setting "Custom: all cookies", which also blocks site data. */
const ALL_BLOCKED = { 'network.cookie.cookieBehavior': 2 };

const LIVE = "document.querySelector('#add > .go button').disabled === false";

describe('hosted pages in Firefox', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const folder = suiteFixture(temporaryFolder);
  let firefox: Firefox | undefined;
  afterEach(async () => {
    await firefox?.stop();
    firefox = undefined;
  });

  const launch = async (prefs: Record<string, number> = {}) => {
    firefox = await Firefox.launch(prefs);
    return firefox;
  };
  const stored = async (name: string, content: Buffer | Uint8Array = payslip) => {
    const file = join(folder.path, name);
    await writeFile(file, content);
    return file;
  };
  const uploadPage = async (guest: string) => {
    const tenants = [guest, `lead-of-${guest}`].map((email) => ({ email, is_lead: email !== guest }));
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const link = await invitationPath(test, application_id, guest);
    await submit(test, link, { answer: 'accept' });
    return `${test.service.url}${link}/documents`;
  };
  const choose = async (page: Firefox, files: string[]) => {
    await page.evaluate("document.getElementById('type').value = 'payslip'");
    await page.choose('#files', files);
  };
  const add = (page: Firefox) => page.click('#add > .go button');

  it('uploads where all cookies and site data are blocked', async () => {
    const page = await launch(ALL_BLOCKED);
    await page.open(await uploadPage('blocked@mail.example'));
    expect(
      await page.evaluate("(() => { try { return sessionStorage.length } catch { return 'blocked' } })()"),
    ).to.equal('blocked');
    await choose(page, [await stored('blocked.pdf')]);
    await add(page);
    await page.shows('1 document handed in');
    await page.until(LIVE);
  });

  for (const [what, change] of [
    ['was saved again', (file: string) => appendFile(file, '%%')],
    ['was deleted', (file: string) => rm(file)],
  ] as const)
    it(`ends with a live button for a file that ${what} after it was chosen, and takes it when it is chosen again`, async () => {
      const name = `${what.replaceAll(' ', '-')}.pdf`;
      const page = await launch();
      await page.open(await uploadPage(`${name}@mail.example`));
      const file = await stored(name, Buffer.concat([payslip, Buffer.alloc(300_000, '%')]));
      await choose(page, [file]);
      await change(file);
      await add(page);
      await page.until(LIVE);
      // Firefox may read a file that has changed. What it cannot read it must not send.
      const said = String(await page.evaluate("document.getElementById('uploads').innerText"));
      if (!said.includes('Added')) {
        expect(said).to.match(/can no longer be read|is empty/);
        await choose(page, [await stored(name)]);
        await add(page);
      }
      await page.shows('1 document handed in');
    });

  it('shows small pictures of chosen photos, and says that a photo without bytes is empty', async () => {
    const page = await launch(ALL_BLOCKED);
    const colours = { r: 30, g: 90, b: 160 };
    const photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: colours } })
      .jpeg()
      .toBuffer();
    await page.open(await uploadPage('photo@mail.example'));
    await choose(page, [await stored('card.jpg', photo), await stored('nothing.jpg', Buffer.alloc(0))]);
    await page.until("document.querySelector('#uploads canvas') !== null");
    await add(page);
    await page.shows('1 document handed in');
    await page.shows('The file is empty');
    expect(await page.evaluate("document.querySelectorAll('#uploads canvas').length")).to.equal(1);
  });

  it('names blocked cookies before the person leaves for the national eID', async () => {
    const page = await launch(ALL_BLOCKED);
    const email = 'eid@mail.example';
    const { id } = await test.tenant(email);
    await test.alice.ok('createApplication', { body: { title: 'Loft', tenants: [{ email, is_lead: true }] } });
    const body = { redirect_url: 'https://letting.example/back' };
    const { data } = await test.alice.ok('initiateEid', { params: { tenantId: id }, body });
    await page.open(data.verification_link);
    await page.click('main form button');
    await page.shows('Your browser blocks cookies');
  });
});
