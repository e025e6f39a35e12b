import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { axe, launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { dialect } from '../../harness/database/databases.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { invitationPath, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';

const PIECE = 256 * 1024;

/** Noise, which no compression makes small. */
function photo(): Promise<Buffer> {
  const [width, height] = [1000, 900];
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
}

describe(`the page for documents in a browser on ${dialect}`, () => {
  let chromium: TestBrowser;
  const test = useService({ RUN_WORKERS: 'false' });
  const folder = suiteFixture(temporaryFolder);
  before(async function () {
    this.timeout(120_000);
    chromium = await launchBrowser();
  });
  after(() => chromium?.stop());

  it('goes on with a photo after lost connections and a reload, and sends no piece that arrived again', async () => {
    const tenants = ['lead', 'guest'].map((name) => ({ email: `${name}@mail.example`, is_lead: name === 'lead' }));
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const link = await invitationPath(test, application_id, 'guest@mail.example');
    await submit(test, link, { answer: 'accept' });
    const content = await photo();
    const file = join(folder.path, 'photo.jpg');
    await writeFile(file, content);
    const pieces = Math.ceil(content.length / PIECE);
    expect(pieces).to.be.at.least(3);
    const { url } = test.service;
    const { page, problems } = await visit(chromium.browser, `${url}${link}/documents`, [url]);
    let arrived = 0;
    let isDown = false;
    await page.route('**/pieces', (route) => {
      if (isDown) return route.abort('connectionreset');
      arrived += 1;
      if (arrived === 2) isDown = true;
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
