import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import sharp from 'sharp';
import { readable, WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';

databases('either');

const picture = (width: number, height: number, colour = '#0b6b4f') =>
  sharp({ create: { width, height, channels: 4, background: colour } });

/** Parsing all parts of the longest form takes longer. */
const MAX_CPU_MS = 200;

describe('a landlord’s logo at the desk', function () {
  this.timeout(60_000);
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const stored = () => test.service.runtime.db('landlord_brands').where({ landlord_id: test.landlords.ours }).first();

  async function upload(who: MemberBrowser | OperatorBrowser, path: string, file: Uint8Array, csrf?: string) {
    const { text } = await who.open('/');
    const [cookie] = who.browser.cookies.get(new URL(who.base).origin) ?? [];
    const form = new FormData();
    form.set('csrf', csrf ?? /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '');
    form.set('colour', '#0a7d33');
    form.set('logo', new Blob([Buffer.from(file)]), 'logo.png');
    const headers = { cookie: `${cookie?.name}=${cookie?.value}` };
    const answer = await fetch(`${who.base}${path}`, { method: 'POST', headers, body: form, redirect: 'manual' });
    return { status: answer.status, text: readable(await answer.text()) };
  }

  const signIn = () => MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours });

  it('is uploaded by an admin, re-encoded without its metadata, and shown to applicants, at the desk and in the console', async () => {
    const exif = { IFD0: { Artist: 'Marta Ruiz' } };
    const jpeg = await picture(3_000, 600).jpeg().withExif(exif).toBuffer();
    const ana = await signIn();
    expect((await upload(ana, '/settings/brand', jpeg)).status).to.equal(303);
    const row = await stored();
    expect(row).to.include({ logo_width: 480, logo_height: 96, colour: '#0a7d33' });
    expect(row?.logo?.toString('latin1')).to.not.include('Marta Ruiz');
    const { format, exif: kept } = await sharp(row?.logo ?? '').metadata();
    expect({ format, kept }).to.deep.equal({ format: 'png', kept: undefined });
    expect((await ana.open('/settings')).text).to.include('settings/logo" alt="Logo"');
    const { id } = await test.tenant('rosa@mail.example');
    const tenants = [{ email: 'rosa@mail.example', is_lead: true }];
    await test.alice.ok('createApplication', { body: { title: 'Flat', tenants } });
    const { verification_url } = (await test.alice.ok('initiateKyc', { params: { tenantId: id } })).data;
    const page = await new WebBrowser().follow(verification_url);
    expect(page.text).to.include(`verify/brand/${row?.logo_digest}/logo.png`);
    const operator = await OperatorBrowser.signIn(test, 'operator');
    for (const [who, path] of [
      [ana, '/settings/logo'],
      [operator, `/landlords/${test.landlords.ours}/logo`],
    ] as const) {
      const shown = await who.browser.open(`${who.base}${path}`);
      expect(shown.headers.get('content-type')).to.equal('image/png');
      expect(shown.text.length).to.be.above(100);
    }
    const without = await ana.act('/settings/brand', { colour: '#0a7d33', no_logo: 'on' });
    expect(await ana.follow(without)).to.include('The settings were changed.');
    expect((await stored())?.logo).to.equal(null);
  });

  it('is refused, in words, when it is no picture, damaged, too large or entirely transparent, and nothing is kept', async () => {
    const before = await stored();
    const png = await picture(90, 30).png().toBuffer();
    const bomb = Buffer.from(png);
    // It declares dimensions for which it has no pixels.
    for (const offset of [16, 20]) bomb.writeUInt32BE(60_000, offset);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    const ana = await signIn();
    for (const [file, words] of [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'must be a PNG, JPEG or WebP'],
      [png.subarray(0, png.length / 2), 'damaged'],
      [bomb, 'at most 2 MiB and 16 megapixels'],
      [Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)]), 'at most 2 MiB'],
      [await picture(20, 20, '#ffffff00').png().toBuffer(), 'entirely transparent'],
    ] as const) {
      const { status, text } = await upload(ana, '/settings/brand', file);
      expect(status, words).to.equal(400);
      expect(text).to.include(words);
    }
    expect(await stored()).to.deep.equal(before);
  });

  it('is read from the form only for an admin who is signed in, and needs the token of the form', async () => {
    const png = await picture(90, 30).png().toBuffer();
    const ana = await signIn();
    expect((await upload(ana, '/settings/brand', png, 'forged')).status).to.equal(403);
    const agent = await MemberBrowser.signIn(test, 'agent', { landlordId: test.landlords.ours });
    expect((await upload(agent, '/settings/brand', png)).text).to.include('Your role does not include this.');
    const form = new FormData();
    form.set('logo', new Blob([Buffer.alloc(1024 * 1024)]), 'logo.png');
    const stranger = await fetch(`${ana.base}/settings/brand`, { method: 'POST', body: form, redirect: 'manual' });
    expect(stranger.status).to.equal(401);
  });

  it('is read from a form without parsing thousands of parts', async () => {
    const ana = await signIn();
    const { text } = await ana.open('/');
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const [cookie] = ana.browser.cookies.get(new URL(ana.base).origin) ?? [];
    const headers = {
      cookie: `${cookie?.name}=${cookie?.value}`,
      'content-type': 'multipart/form-data; boundary=x',
    };
    const part = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    for (const filling of [part('colour', ''), '--x\r\n']) {
      const body = `${part('csrf', csrf)}${filling.repeat((2 * 1024 * 1024) / filling.length)}--x--\r\n`;
      const before = process.threadCpuUsage();
      const answer = await fetch(`${ana.base}/settings/brand`, { method: 'POST', headers, body, redirect: 'manual' });
      const { user, system } = process.threadCpuUsage(before);
      expect(answer.status).to.equal(400);
      expect((user + system) / 1000).to.be.below(MAX_CPU_MS);
    }
  });

  it('is set by an operator in the console, too', async () => {
    const operator = await OperatorBrowser.signIn(test, 'operator');
    const png = await picture(300, 100).png().toBuffer();
    expect((await upload(operator, `/landlords/${test.landlords.ours}/brand`, png)).status).to.equal(303);
    expect(await stored()).to.include({ logo_width: 300, logo_height: 100 });
  });
});
