import { expect } from 'chai';
import { build } from '../../bin/service/build.ts';
import { unsealJson, unsealText } from '../../core/secrets/secrets.ts';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually, signal } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { type RawAnswer, send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { assetPath } from '../../http/pages/assets.ts';
import { startEid } from '../../jobs/identity/eid-flows.ts';
import * as flows from '../../jobs/identity/kyc-verifications.ts';
import { startKyc } from './stage.ts';

databases('either');

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('the addresses of the KYC page', () => {
  const test = useService({ FRAME_ANCESTORS: 'https://app.example https://*.rent.example' });

  const start = async (email: string): Promise<string> => new URL(await startKyc(test, email)).pathname;
  const open = (path: string, headers: Record<string, string> = {}) => send(test.service.url, 'GET', path, headers);
  const post = (path: string, fields: string | Record<string, string>, headers: Record<string, string> = FORM) =>
    send(test.service.url, 'POST', path, headers, String(new URLSearchParams(fields)));
  /** Sends the answers of every step before the last. */
  const fillIn = async (path: string) => {
    await post(`${path}/name`, { name: 'Marta' });
    await post(`${path}/document`, { document: 'passport' });
    await post(`${path}/capture`, { photo: 'document' });
    await post(`${path}/capture`, { photo: 'person' });
  };
  const state = async (path: string): Promise<string> => JSON.parse((await open(`${path}/status`)).text).state;

  it('are below PUBLIC_URL, where browsers reach us, like the eID links', async () => {
    const publicUrl = 'https://screening.example/base';
    const { runtime, close } = await build({ ...test.config, publicUrl }, { log: test.service.runtime.log });
    const tenant = await test.tenant('proxy@mail.example', { of: test.alice });
    const { api_key_id } = await ofTheirKey(runtime.db, tenant.id);
    const page = await flows.startKyc(runtime, tenant, api_key_id, new Date());
    const link = await startEid(runtime, tenant, api_key_id, 'https://app.example/back', new Date());
    await close();
    expect(page.startsWith(`${publicUrl}/verify/kyc/`)).to.equal(true);
    expect(link.startsWith(`${publicUrl}/verify/eid/`)).to.equal(true);
  });

  it('load only our own files, may be framed as the operator allows, and are never cached', async () => {
    const path = await start('policy@mail.example');
    const wrong = await post(`${path}/name`, { name: '' });
    const unknown = await open(`${path}x`, { accept: 'text/html' });
    for (const { headers, text } of [await open(`${path}/name`), await open(`${path}/left`), wrong, unknown]) {
      expect(headers['content-security-policy']).to.equal(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
          "base-uri 'none'; frame-ancestors https://app.example https://*.rent.example",
      );
      expect(headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(headers).to.include({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      });
      expect(headers).to.not.have.any.keys('x-frame-options', 'set-cookie');
      expect(text).to.not.match(/ style=| on\w+=|<style|<script>|(href|src|action)="(\/|http)/);
    }
  });

  it('show the current state each time', async () => {
    const { headers } = await open(`${await start('anew@mail.example')}/status`);
    expect(headers).to.include({ 'cache-control': 'no-store', 'content-type': 'application/json' });
  });

  it('cache their files permanently under an address with the content’s digest, and not under another', async () => {
    for (const name of ['pages.css', 'pages.js', 'favicon.svg'] as const) {
      const path = `/${assetPath(name)}`;
      const { status, headers } = await open(path);
      expect([status, headers['cache-control']]).to.deep.equal([200, 'public, max-age=31536000, immutable']);
      const older = await open(path.replace(/assets\/[^/]+/, 'assets/older'));
      expect([older.status, older.headers['cache-control']]).to.deep.equal([200, 'no-store']);
    }
    expect((await open('/verify/assets/older/constructor')).status).to.equal(404);
  });

  it('refuse forged links: with a page for people, and the envelope for programs', async () => {
    const path = await start('forged@mail.example');
    const token = path.split('/').at(-1) ?? '';
    const flipped = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const forged = [
      flipped,
      'x',
      `abc.%C3%A9${'a'.repeat(42)}`,
      `${token.split('.')[0]}`,
      `${token}/`,
      `${token}/none`,
    ];
    for (const tail of [...forged, `${flipped}/left`, `${flipped}/status`, `${flipped}/name`, 'a/b/c']) {
      const program = await open(`/verify/kyc/${tail}`);
      expect(program.status, tail).to.equal(404);
      expect(JSON.parse(program.text)).to.deep.equal({ status: 'error', message: 'Verification not found.' });
      const person = await open(`/verify/kyc/${tail}`, { accept: 'text/html,*/*;q=0.8' });
      expect([person.status, person.headers['content-type']], tail).to.deep.equal([404, 'text/html; charset=utf-8']);
      expect(person.text).to.include('This link leads nowhere').and.not.include('Sandbox');
    }
    expect((await post(`/verify/kyc/${flipped}/name`, { name: 'Mallory' })).status).to.equal(404);
  });

  it('list the allowed methods', async () => {
    const path = await start('methods@mail.example');
    for (const [place, allow] of [
      ['', 'GET, HEAD'],
      ['/left', 'GET, HEAD'],
      ['/status', 'GET, HEAD'],
      ['/name', 'GET, HEAD, POST'],
      ['/outcome', 'GET, HEAD, POST'],
    ]) {
      const { status, headers } = await send(test.service.url, 'DELETE', path + place);
      expect([status, headers['allow']], place).to.deep.equal([405, allow]);
    }
  });

  it('allow no one to skip a step or submit a foreign answer', async () => {
    const path = await start('skips@mail.example');
    const sentBack = ({ status, headers }: RawAnswer) => {
      const { pathname, hash } = new URL(String(headers['location']), `${test.service.url}${path}/any`);
      expect([status, pathname, hash]).to.deep.equal([303, path, '#step']);
      expect(headers).to.include({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    };
    sentBack(await post(`${path}/outcome`, { outcome: 'verified' }));
    sentBack(await open(`${path}/outcome`));
    await post(`${path}/name`, { name: 'Marta' });
    expect((await post(`${path}/document`, { document: 'library_card' })).status).to.equal(400);
    await post(`${path}/document`, { document: 'passport' });
    sentBack(await post(`${path}/capture`, { photo: 'person' }));
    expect((await open(`${path}/capture`)).text).to.include('Take a photo of your passport');
    await fillIn(path);
    const wrong = [{}, { outcome: 'pending' }, { outcome: 'rejected' }, { outcome: 'rejected', reason: 'toString' }];
    for (const fields of wrong) expect((await post(`${path}/outcome`, fields)).status).to.equal(400);
    expect(
      (await post(`${path}/outcome`, { outcome: 'verified' }, { 'content-type': 'application/json' })).status,
    ).to.equal(400);
    const large = await post(`${path}/name`, { name: 'Marta', padding: 'a'.repeat(20_000) });
    expect([large.status, JSON.parse(large.text).status]).to.deep.equal([400, 'error']);
    expect((await post(`${path}/name`, 'name=%00')).status).to.equal(400);
    expect(await state(path)).to.equal('pending');
  });

  it('start nothing before the person agreed to the text shown, which is stored with the verification', async () => {
    const { runtime } = test.service;
    const path = new URL(await startKyc(test, 'agrees@mail.example', 'Marta Ruiz', false)).pathname;
    const id = path.split('/').at(-1)?.split('.', 1)[0] ?? '';
    const agreement = () =>
      runtime.db('kyc_verifications').where({ id }).first('agreed_at', 'agreed_to', 'sealed_memory');
    for (const early of [await open(`${path}/name`), await post(`${path}/name`, { name: 'Marta' })])
      expect([
        early.status,
        new URL(String(early.headers['location']), `${test.service.url}${path}/any`).pathname,
      ]).to.deep.equal([303, path]);
    const { text } = await open(path);
    for (const told of ['Who asks', 'What is checked', 'Who sees the result', 'How long it is kept', 'How to object'])
      expect(text).to.include(told);
    const wrong = await post(`${path}/agree`, { shown: 'another text' });
    expect([wrong.status, wrong.text.includes('has changed')]).to.deep.equal([400, true]);
    expect(await agreement()).to.deep.equal({ agreed_at: null, agreed_to: null, sealed_memory: null });
    await new WebBrowser().agree(`${test.service.url}${path}`);
    const first = await agreement();
    expect(first?.agreed_to).to.include('Who asks: Casa Clara, for your rental application.\nWhat is checked: ');
    expect(Date.now() - Date.parse(first?.agreed_at ?? '')).to.be.within(0, 60_000);
    expect((await open(`${path}/name`)).status).to.equal(200);
    await post(`${path}/agree`, { shown: /name="shown" value="([^"]*)"/.exec(text)?.[1] ?? '' });
    expect(await agreement(), 'the first time counts').to.deep.equal(first);
  });

  it('accept one outcome: later submissions, or another tab’s, change nothing', async () => {
    const path = await start('once@mail.example');
    await fillIn(path);
    const answers = ['verified', 'error'].map((outcome) => post(`${path}/outcome`, { outcome }));
    await Promise.all(answers);
    const end = await until('it ended', async () => (await state(path)) !== 'pending' && state(path));
    const late = [
      await post(`${path}/outcome`, { outcome: 'rejected', reason: 'expired' }),
      await post(`${path}/name`, { name: '' }),
    ];
    expect(late.map(({ status }) => status)).to.deep.equal([303, 303]);
    expect(await state(path)).to.equal(end);
  });

  it('store nothing submitted after the end or the expiry', async () => {
    const { runtime } = test.service;
    const idOf = (path: string) => path.split('/').at(-1)?.split('.', 1)[0] ?? '';
    const row = (id: string) => runtime.db('kyc_verifications').where({ id }).first('status', 'sealed_memory');
    const ended = await start('over+kyc-error@mail.example');
    await until('it ended', async () => (await state(ended)) === 'failed');
    await flows.storeKycMemory(runtime, idOf(ended), 'late');
    expect(await row(idOf(ended))).to.deep.equal({ status: 'failed', sealed_memory: null });
    const late = await start('out-of-time@mail.example');
    const tomorrow = () => new Date(Date.now() + 25 * 3_600_000);
    await flows.storeKycMemory({ ...runtime, now: tomorrow }, idOf(late), 'late');
    expect(await row(idOf(late))).to.deep.equal({ status: 'pending', sealed_memory: null });
  });

  it('report what the person entered after a success', async () => {
    const path = await start('gave@mail.example');
    await fillIn(path);
    await post(`${path}/name`, { name: ' Marta  Ruiz Ortega ' });
    await post(`${path}/outcome`, { outcome: 'verified' });
    await until('it ended', async () => (await state(path)) === 'verified');
    const id = path.split('/').at(-1)?.split('.', 1)[0] ?? '';
    const { result } = (await test.service.runtime.db('kyc_verifications').where({ id }).first('result')) ?? {};
    const given = JSON.parse(unsealJson(result ?? '', test.service.runtime.keys.encryption));
    expect(given).to.include({ name: 'Marta Ruiz Ortega', document_type: 'passport' });
  });

  it('keep the first of two concurrent starts', async () => {
    const tenant = await test.tenant('two-starts@mail.example', { of: test.alice });
    const { runtime } = test.service;
    const { api_key_id } = await ofTheirKey(runtime.db, tenant.id);
    const answers: ((memory: string) => void)[] = [];
    const start = () =>
      new Promise<string>((resolve) => {
        answers.push(resolve);
        signal();
      });
    const kyc = { ...runtime.providers.kyc, start };
    const parts = { ...runtime, providers: { ...runtime.providers, kyc } };
    const starts = [
      flows.startKyc(parts, tenant, api_key_id, new Date()),
      flows.startKyc(parts, tenant, api_key_id, new Date()),
    ];
    await eventually('both asked the provider', () => answers.length === 2);
    const memory = async () =>
      (await runtime.db('kyc_verifications').where({ tenant_id: tenant.id }).first())?.sealed_memory ?? '';
    answers[0]?.('first');
    await Promise.race(starts);
    answers[1]?.('second');
    await Promise.all(starts);
    expect(unsealText(await memory(), runtime.keys.encryption)).to.equal('first');
  });
});
