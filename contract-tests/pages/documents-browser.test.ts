import { randomBytes } from 'node:crypto';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import sharp from 'sharp';
import { setLandlordSettings } from '../../db/access/landlord-settings.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { barriersOn, described } from '../../harness/browser/axe.ts';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { databases, isNightly } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { inspectedTogether } from '../../harness/service/inspected-together.ts';
import { invitationPath, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';
import { tabTo } from './keyboard.ts';

databases('either');

const payslip = sampleDocument(['Payslip January', 'Net pay 2,214.35']);
const PIECE = 256 * 1024;

/** At night as from a good camera. */
const PHOTO_MB = isNightly ? 15 : 2;

/** Noise, which does not compress. */
function photo(): Promise<Buffer> {
  const [width, height] = [4400, 3400].map((pixels) => Math.round(pixels * Math.sqrt(PHOTO_MB / 15)));
  if (!width || !height) return expect.fail('a photo has two sides');
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
}

describe('the document page in a browser', () => {
  let chromium: TestBrowser;
  const test = useService({ RUN_WORKERS: 'false' });
  inspectedTogether(() => test);
  const folder = suiteFixture(temporaryFolder);
  before(async () => {
    chromium = await launchBrowser();
  });
  after(() => chromium?.stop());

  const accepted = async (guest: string) => {
    const tenants = [guest, `lead-of-${guest}`].map((email) => ({ email, is_lead: email !== guest }));
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const link = await invitationPath(test, application_id, guest);
    await submit(test, link, { answer: 'accept' });
    return link;
  };

  it('uploads and removes a file with the keyboard alone', async () => {
    const { url } = test.service;
    const { page, problems } = await visit(chromium.browser, `${url}${await accepted('keys@mail.example')}/documents`, [
      url,
    ]);
    // Long before the key: waiting tells the browser to intercept the chooser, and nothing says when it does.
    const chooser = page.waitForEvent('filechooser');
    await tabTo(page, 'What is it?');
    await page.keyboard.type('Pay');
    await tabTo(page, 'Files');
    await page.keyboard.press('Enter');
    await (await chooser).setFiles({ name: 'payslip.pdf', mimeType: 'application/pdf', buffer: Buffer.from(payslip) });
    await tabTo(page, 'Add');
    await page.keyboard.press('Enter');
    await page.getByText('1 document handed in').waitFor();
    for (const name of [/^Remove/, /^Yes, remove/]) {
      await tabTo(page, name);
      await page.keyboard.press('Enter');
    }
    await page.getByText('Nothing handed in yet').waitFor();
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  it(`resumes a photo of ${PHOTO_MB} MB on a slow line after lost connections and a reload, without resending pieces that arrived`, async () => {
    const link = await accepted('guest@mail.example');
    const content = await photo();
    const file = join(folder.path, 'photo.jpg');
    await writeFile(file, content);
    const pieces = Math.ceil(content.length / Math.max(PIECE, Math.ceil(content.length / 64)));
    expect(content.length / 1e6).to.be.within(PHOTO_MB * 0.95, PHOTO_MB * 1.15);
    const { url } = test.service;
    const { page, problems } = await visit(chromium.browser, `${url}${link}/documents`, [url]);
    const line = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 20, downloadThroughput: 4_000_000, uploadThroughput: 4_000_000 };
    await line.send('Network.emulateNetworkConditions', slow);
    let arrived = 0;
    let isDown = false;
    await page.route('**/pieces', (route) => {
      if (isDown) return route.abort('connectionreset');
      arrived += 1;
      if (arrived === Math.floor(pieces / 2)) isDown = true;
      return route.continue();
    });
    const choose = async () => {
      await page.getByLabel('What is it?').selectOption('identity');
      await page.getByLabel('Files').setInputFiles(file);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
    };
    await choose();
    await page.getByText('The connection is lost').waitFor();
    await page.reload();
    isDown = false;
    await choose();
    await page.getByText('1 document handed in').waitFor();
    expect(arrived).to.equal(pieces);
    const { db, providers } = test.service.runtime;
    const [row, ...others] = await db('documents').where({ source: 'applicant' }).whereNull('removed_at');
    expect(others).to.deep.equal([]);
    expect(row).to.include({ name: 'photo.jpg', type: 'identity', size_bytes: content.length });
    expect(await Array.fromAsync(providers.documents.kept())).to.have.length(
      Number((await db('documents').countDistinct({ number: 'sha256' }).first())?.number),
    );
    expect(described(await barriersOn(page))).to.deep.equal([]);
    await page
      .getByLabel('Files')
      .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('does not match its name').waitFor();
    await page.getByText('Remove photo.jpg', { exact: true }).click();
    await page.getByRole('button', { name: 'Yes, remove photo.jpg' }).click();
    await page.getByText('Nothing handed in yet').waitFor();
    expect(problems.filter((text) => !/ERR_CONNECTION_RESET/.test(text))).to.deep.equal([]);
  });

  it('shows what is still wanted once a file has arrived, and leaves open what the person opened', async () => {
    const { db } = test.service.runtime;
    const want = (documents: string | null) =>
      inTransaction(db, (trx) => setLandlordSettings(trx, test.landlords.ours, { documents }));
    await want('payslip:2, identity');
    const { url } = test.service;
    const link = await accepted('wanted@mail.example');
    const { page, problems } = await visit(chromium.browser, `${url}${link}/documents`, [url]);
    await page.getByText('Payslip: 0 of 2').waitFor();
    const examples = page.locator('details', { hasText: 'What is good: Payslip' });
    await examples.locator('summary').click();
    await page.getByLabel('What is it?').selectOption('payslip');
    const file = { name: 'payslip.pdf', mimeType: 'application/pdf', buffer: Buffer.from(payslip) };
    await page.getByLabel('Files').setInputFiles(file);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('1 document handed in').waitFor();
    await page.getByText('Payslip: 1 of 2').waitFor();
    expect(await examples.getAttribute('open')).to.equal('');
    expect(await page.getByText('Good: the PDF from your employer').isVisible()).to.equal(true);
    expect(await page.locator('#uploads small').textContent()).to.match(/^Added\./);
    await want(null);
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  /** As a person chooses them: Playwright's own method gives the page copies, which do not change with the files. */
  const choose = async (page: Page, files: string[]) => {
    const devtools = await page.context().newCDPSession(page);
    const { result } = await devtools.send('Runtime.evaluate', { expression: "document.getElementById('files')" });
    await devtools.send('DOM.setFileInputFiles', { files, objectId: result.objectId ?? '' });
  };
  /** Opens the page and chooses a file; the returned function presses Add. */
  const chosen = async (guest: string, file: string | string[], prepare?: (page: Page) => Promise<unknown>) => {
    const { url } = test.service;
    const { page, problems } = await visit(chromium.browser, 'about:blank', [url]);
    await prepare?.(page);
    await page.goto(`${url}${await accepted(guest)}/documents`);
    await page.getByLabel('What is it?').selectOption('payslip');
    await choose(page, [file].flat());
    const add = page.getByRole('button', { name: 'Add', exact: true });
    return { page, problems, add };
  };
  const stored = async (name: string) => {
    const file = join(folder.path, name);
    await writeFile(file, Buffer.concat([payslip, randomBytes(300_000)]));
    return file;
  };

  const changes = [
    ['was saved again', (file: string) => appendFile(file, '%%')],
    ['was deleted', (file: string) => rm(file)],
  ] as const;
  for (const [what, change] of isNightly ? changes : changes.slice(1))
    it(`says that a chosen file can no longer be read when it ${what}, and takes it when it is chosen again`, async () => {
      const name = `${what.replaceAll(' ', '-')}.pdf`;
      const file = await stored(name);
      const { page, add } = await chosen(`${name}@mail.example`, file);
      await change(file);
      await add.click();
      await page.getByText('can no longer be read').waitFor();
      await add.and(page.locator(':enabled')).waitFor();
      await choose(page, [await stored(name)]);
      await add.click();
      await page.getByText('1 document handed in').waitFor();
      await page.context().close();
    });

  it('uploads where the browser blocks site data', async () => {
    const { page, problems, add } = await chosen('blocked@mail.example', await stored('blocked.pdf'), (blocked) =>
      blocked.addInitScript(() => {
        Object.defineProperty(globalThis, 'sessionStorage', {
          get() {
            throw new DOMException('denied', 'SecurityError');
          },
        });
      }),
    );
    await add.click();
    await page.getByText('1 document handed in').waitFor();
    await add.and(page.locator(':enabled')).waitFor();
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  it('keeps what the person opened and chose while the list of documents is brought up to date', async () => {
    const { page, problems, add } = await chosen('opened@mail.example', await stored('first.pdf'));
    await add.click();
    await page.getByText('1 document handed in').waitFor();
    let release = () => {};
    const opened = new Promise<void>((resolve) => {
      release = resolve;
    });
    const lists = page.waitForRequest((request) => request.resourceType() === 'fetch' && request.method() === 'GET');
    await page.route('**/documents', async (route) => {
      if (route.request().method() === 'GET') await opened;
      await route.continue();
    });
    await choose(page, [await stored('second.pdf')]);
    await add.click();
    await lists;
    await page.getByText('Replace first.pdf', { exact: true }).click();
    const replacement = page.getByLabel('New file in place of first.pdf');
    await replacement.setInputFiles({ name: 'better.pdf', mimeType: 'application/pdf', buffer: payslip });
    await replacement.focus();
    release();
    await page.getByText('2 documents handed in').waitFor();
    expect(await page.evaluate('document.activeElement.files[0].name')).to.equal('better.pdf');
    await page.getByRole('button', { name: 'Replace it' }).click();
    await page.getByText('Replace better.pdf', { exact: true }).waitFor();
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  const outages = [
    [
      'the service has trouble',
      (route: Route) => route.fulfill({ status: 503 }),
      'does not answer at the moment',
      'still does not answer',
    ],
    [
      'the line is gone',
      (route: Route) => route.abort('connectionreset'),
      'The connection is lost',
      'still no connection',
    ],
  ] as const;
  for (const [what, refuse, meanwhile, finally_] of isNightly ? outages : outages.slice(1))
    it(`ends an upload while ${what} for many minutes, and continues it when the person presses Add`, async () => {
      let [isDown, pieces] = [true, 0];
      const guest = `${what.replaceAll(' ', '-')}@mail.example`;
      const { page, add } = await chosen(
        guest,
        [await stored('first.pdf'), await stored('second.pdf')],
        async (visited) => {
          await visited.clock.install();
          await visited.route('**/pieces', (route) => {
            pieces++;
            return isDown && pieces > 1 ? refuse(route) : route.continue();
          });
        },
      );
      await add.click();
      await page.getByText(meanwhile).waitFor();
      expect(await add.isDisabled()).to.equal(true);
      // Past each limit: the next attempt is the last.
      await page.clock.fastForward('20:00');
      await page.getByText(finally_).waitFor();
      await add.and(page.locator(':enabled')).waitFor();
      isDown = false;
      const before = pieces;
      await add.click();
      await page.getByText('2 documents handed in').waitFor();
      expect(pieces - before, 'the first piece had arrived').to.equal(3);
      await page.context().close();
    });
});
