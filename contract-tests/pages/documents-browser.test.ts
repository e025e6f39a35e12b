import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { axe, launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { invitationPath, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';
import { tabTo } from './keyboard.ts';

databases('either');

const payslip = sampleDocument(['Payslip January', 'Net pay 2,214.35']);
const PIECE = 256 * 1024;

/** Noise, which does not compress: 15 MB, as from a good camera. */
function photo(): Promise<Buffer> {
  const [width, height] = [4400, 3400];
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
}

describe('the document page in a browser', () => {
  let chromium: TestBrowser;
  const test = useService({ RUN_WORKERS: 'false' });
  const folder = suiteFixture(temporaryFolder);
  before(async function () {
    this.timeout(120_000);
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
    await tabTo(page, /^Remove/);
    await page.keyboard.press('Enter');
    await page.getByText('Nothing handed in yet').waitFor();
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  it('resumes a 15 MB photo on a slow line after lost connections and a reload, without resending pieces that arrived', async () => {
    const link = await accepted('guest@mail.example');
    const content = await photo();
    const file = join(folder.path, 'photo.jpg');
    await writeFile(file, content);
    const pieces = Math.ceil(content.length / Math.max(PIECE, Math.ceil(content.length / 64)));
    expect(content.length).to.be.within(14_500_000, 17_000_000);
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
      if (arrived === 30) isDown = true;
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
    const [row, ...others] = await db('documents').where({ source: 'applicant' });
    expect(others).to.deep.equal([]);
    expect(row).to.include({ name: 'photo.jpg', type: 'identity', size_bytes: content.length });
    expect(await Array.fromAsync(providers.documents.kept())).to.have.length(
      Number((await db('documents').countDistinct({ number: 'sha256' }).first())?.number),
    );
    const { violations } = await axe(page).analyze();
    expect(violations.map(({ id }) => id)).to.deep.equal([]);
    await page
      .getByLabel('Files')
      .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('does not match its name').waitFor();
    await page.getByRole('button', { name: 'Remove photo.jpg' }).click();
    await page.getByText('Nothing handed in yet').waitFor();
    expect(problems.filter((text) => !/ERR_CONNECTION_RESET/.test(text))).to.deep.equal([]);
  });
});
