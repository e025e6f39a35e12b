import { inspect } from 'node:util';
import { parseHeaders } from '@tenant-screening/webhook-tools/capture';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { type Received, Receiver } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { Admin, misunderstood } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';
import { rotateSecret } from '../../jobs/webhooks/webhook-care.ts';

databases('either');

const SECRET = 'whsec_bm93aGVyZSBpbiB3aGF0IHRoZSBkb2N0b3IgcHJpbnRz';
const OTHER = 'whsec_YW5vdGhlciBzZWNyZXQgb2YgYW5vdGhlciB3ZWJob29r';
const EMAIL = 'doctor+kyc-verified@mail.example';

interface Diagnosis {
  verifies: boolean | null;
  webhook_id: string | null;
  delivery: Record<string, unknown> | null;
  findings: { level: string; code: string; found: string; why: string; fix: string }[];
}

describe('the command line’s webhook doctor', () => {
  let delivery: Received;
  let files: { headers: string; body: string };

  const test = useService();
  const admin = new Admin(test);
  const signed = suiteFixture(() => Receiver.start());
  const unsigned = suiteFixture(() => Receiver.start());
  before(async () => {
    const { id: tenantId } = await test.tenant(EMAIL);
    await test.alice.ok('createApplication', { body: { title: 'Flat', tenants: [{ email: EMAIL, is_lead: true }] } });
    await test.alice.ok('createWebhook', { body: { url: signed.url, secret: SECRET } });
    await test.alice.ok('createWebhook', { body: { url: unsigned.url } });
    await test.alice.ok('initiateKyc', { params: { tenantId } });
    const [received] = await signed.next('KYC_VERIFICATION_DATA');
    await unsigned.next('KYC_VERIFICATION_DATA');
    if (!received) throw new Error('No delivery.');
    delivery = received;
    files = { headers: await admin.file(received.headers), body: await admin.file(received.body, 'body.json') };
    await eventually('the attempts were recorded', async () => {
      const rows = await test.service.runtime.db('deliveries').select('status');
      return rows.length === 2 && rows.every(({ status }) => status === 'delivered');
    });
  });

  const capture = () => ['--headers', files.headers, '--body', files.body];

  async function diagnosed(
    args: string[],
    { secret = SECRET, input = '' } = {},
  ): Promise<Diagnosis & { code: number }> {
    const env: Record<string, string> = secret ? { WEBHOOK_SECRET: secret } : {};
    const ended = await admin.run(['webhook', 'doctor', ...args, '--json'], env, undefined, input);
    expect(ended.stderr).to.equal('');
    for (const text of [SECRET, OTHER]) expect(ended.stdout).to.not.include(text.slice('whsec_'.length));
    return { ...JSON.parse(ended.stdout), code: ended.code };
  }
  const codes = ({ findings }: Diagnosis) => findings.map(({ code }) => code);

  it('finds no fault in a real delivery, with the secret as a variable, a file and standard input, and changes nothing', async () => {
    const everything = () =>
      Promise.all(
        (['deliveries', 'delivery_attempts', 'webhooks', 'events'] as const).map((table) =>
          test.service.runtime.db(table),
        ),
      );
    const before = await everything();
    const file = await admin.file(SECRET, 'secret.txt');
    for (const [args, given] of [
      [[], {}],
      [['--secret-file', file], { secret: '' }],
      [['--secret-file', '-'], { secret: '', input: SECRET }],
    ] as const) {
      const found = await diagnosed([...capture(), ...args], given);
      expect(found).to.include({ code: 0, verifies: true, webhook_id: delivery.headers['webhook-id'] });
      expect(found.delivery).to.include({
        url: signed.url,
        status: 'delivered',
        event: 'KYC_VERIFICATION_DATA',
        attempts: 1,
      });
      expect(codes(found)).to.have.members([
        ...['signature-verifies', 'headers-present', 'receipt-untold'],
        ...['body-as-sent', 'secret-current', 'timestamp-of-an-attempt'],
      ]);
      for (const finding of found.findings) expect(finding).to.have.all.keys('level', 'code', 'found', 'why', 'fix');
    }
    expect(await everything()).to.deep.equal(before);
    const { stdout } = await admin.run(['webhook', 'doctor', ...capture()], { WEBHOOK_SECRET: SECRET });
    expect(stdout)
      .to.match(/^It verifies\.\n/)
      .and.include('OK ')
      .and.include(signed.url)
      .and.not.include(SECRET);
  });

  it('accepts headers in every captured form, and a whole request', async () => {
    const entries = Object.entries(delivery.headers);
    const forms = {
      lines: entries.map(([name, value]) => `${name}: ${value}`).join('\n'),
      'lines of curl': entries.map(([name, value]) => `> ${name}: ${value}\r`).join('\n'),
      pairs: entries,
      'names and values in turn': entries.flat(),
      'objects with name and value': entries.map(([name, value]) => ({ name, value })),
      'lists of values': Object.fromEntries(entries.map(([name, value]) => [name, [value]])),
      'as Node prints them': inspect(delivery.headers),
      'as Python prints them': `{${entries.map(([name, value]) => `'${name}': '${value}'`).join(', ')}}`,
      'as PHP prints them': `Array\n(\n${entries.map(([name, value]) => `    [${name}] => ${value}`).join('\n')}\n)\n`,
      'as PHP exports them': `array (\n${entries.map(([name, value]) => `  '${name}' => '${value}',`).join('\n')}\n)`,
      'as PHP dumps them': `array(2) {\n${entries.map(([name, value]) => `  ["${name}"]=>\n  string(${value.length}) "${value}"`).join('\n')}\n}`,
      'as Python prints items': `[${entries.map(([name, value]) => `('${name}', '${value}')`).join(', ')}]`,
      'as ASGI has them': `[${entries.map(([name, value]) => `(b'${name}', b'${value}')`).join(', ')}]`,
      'as Go prints them': `map[${entries.map(([name, value]) => `${name}:[${value}]`).join(' ')}]`,
      'as Go writes them': `http.Header{${entries.map(([name, value]) => `"${name}":[]string{"${value}"}`).join(', ')}}`,
      'as Ruby prints them': `{${entries.map(([name, value]) => `"${name}"=>"${value}"`).join(', ')}}`,
    };
    for (const [form, content] of Object.entries(forms)) {
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      const read = new Map(parseHeaders(text).map(([name, value]) => [name, value.trim()]));
      for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
        expect(read.get(name), `${name} in ${form}`).to.equal(delivery.headers[name]);
    }
    const lines = ['--headers', await admin.file(forms.lines), '--body', files.body];
    expect(await diagnosed(lines)).to.include({ verifies: true, code: 0 });
    const request = `POST /hook HTTP/1.1\r\n${forms.lines.replaceAll('\n', '\r\n')}\r\n\r\n${delivery.body}`;
    expect(await diagnosed(['--request', await admin.file(request)])).to.include({ verifies: true, code: 0 });
  });

  it('detects a body that was parsed and serialised again, and shows where it differs from what was sent', async () => {
    const body = await admin.file(JSON.stringify(JSON.parse(delivery.body), null, 2));
    const found = await diagnosed(['--headers', files.headers, '--body', body]);
    expect(found).to.include({ code: 1, verifies: false });
    expect(found.findings[0]).to.include({ level: 'fault', code: 'body-reserialised' });
    expect(found.findings[0]?.found).to.include('it is indented');
    expect(found.findings.find(({ code }) => code === 'body-differs')?.found).to.include('from byte 1 on:');
    expect(codes(found)).to.include('secret-current');
    const human = await admin.run(['webhook', 'doctor', '--headers', files.headers, '--body', body], {
      WEBHOOK_SECRET: SECRET,
    });
    expect(human.code).to.equal(1);
    expect(human.stdout).to.match(/^It does not verify\.\n\n.+\n\nFAULT The body was parsed and written again/);
  });

  it('detects the secret of another webhook, and a damaged one', async () => {
    const other = await diagnosed(capture(), { secret: OTHER });
    expect(codes(other).slice(0, 2)).to.deep.equal(['wrong-secret', 'secret-not-registered']);
    expect(codes(other)).to.include('body-as-sent');
    expect(codes(await diagnosed(capture(), { secret: `v1,${SECRET}` }))[0]).to.equal('secret-with-v1');
    const file = await admin.file(`${SECRET}\n`);
    const fromFile = await diagnosed([...capture(), '--secret-file', file]);
    expect(fromFile).to.include({ code: 0 });
    expect(codes(fromFile)).to.include('secret-file-newline');
  });

  it('says, given the time of receipt, whether the clock is the cause', async () => {
    const late = new Date(Date.now() + 3_600_000).toISOString();
    const found = await diagnosed([...capture(), '--received-at', late]);
    expect(found.code).to.equal(1);
    expect(codes(found)[0]).to.equal('timestamp-old');
  });

  it('reports what it can without a secret, and about a delivery it does not know', async () => {
    const noSecret = await diagnosed(capture(), { secret: '' });
    expect(noSecret).to.include({ code: 1, verifies: null });
    const { stdout } = await admin.run(['webhook', 'doctor', ...capture()]);
    expect(stdout).to.match(/^Nothing is wrong with the request: it is what we sent\./);
    expect(codes(noSecret)).to.include.members(['secret-not-given', 'signature-ours', 'body-as-sent']);
    const id = 'msg_from_elsewhere';
    const at = new Date();
    const signature = new Webhook(OTHER).sign(id, at, delivery.body);
    const timestamp = String(Math.floor(at.getTime() / 1000));
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    const elsewhere = await diagnosed(['--headers', await admin.file(headers), '--body', files.body], {
      secret: OTHER,
    });
    expect(elsewhere).to.include({ code: 0, verifies: true, webhook_id: id, delivery: null });
    const [none] = unsigned.received;
    const unsignedHeaders = await admin.file(none?.headers);
    const found = await diagnosed(['--headers', unsignedHeaders, '--body', files.body]);
    expect(found).to.include({ code: 1, webhook_id: null, delivery: null });
    expect(codes(found)).to.deep.equal(['not-signed']);
  });

  it('refuses unusable input, and accepts no secret on the command line', async () => {
    await admin.refused(2, ['webhook', 'doctor']);
    await admin.refused(2, ['webhook', 'doctor', '--headers', files.headers]);
    await admin.refused(2, ['webhook', 'doctor', ...capture(), '--request', files.body]);
    await misunderstood('webhook', 'doctor', ...capture(), '--secret', SECRET);
    await misunderstood('webhook', 'doctor', ...capture(), SECRET);
    await admin.refused(1, ['webhook', 'doctor', '--headers', '/nowhere', '--body', files.body]);
    await admin.refused(1, ['webhook', 'doctor', '--headers', await admin.file(''), '--body', files.body]);
    await admin.refused(1, ['webhook', 'doctor', '--request', await admin.file('POST / HTTP/1.1')]);
  });

  it('recognizes a replaced secret, and says until when it signs', async () => {
    const { runtime } = test.service;
    const webhook = await runtime.db('webhooks').where({ url: signed.url }).first();
    await rotateSecret(runtime, webhook?.id ?? '', { secret: OTHER, overlapMs: 3_600_000 });
    const found = await diagnosed(capture());
    expect(found).to.include({ code: 0, verifies: true });
    expect(found.findings.find(({ code }) => code === 'secret-former')?.why).to.match(/it signs until \d{4}-/);
    const withNew = await diagnosed(capture(), { secret: OTHER });
    expect(codes(withNew)).to.include.members(['wrong-secret', 'secret-current']);
  });
});
