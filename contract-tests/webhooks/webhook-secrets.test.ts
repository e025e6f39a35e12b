import { randomBytes } from 'node:crypto';
import { newWebhookSecret } from '@tenant-screening/webhook-tools/signatures';
import { expect } from 'chai';
import { readSecretFile } from '../../bin/admin/cli/read-file.ts';
import { parseOverlap } from '../../bin/admin/cli/values.ts';
import { databases } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { type Received, verify } from '../../harness/peers/receiver.ts';
import { Admin, misunderstood } from '../../harness/service/admin.ts';
import { addApplicant, addHook, emitTestEvent } from '../../harness/service/deliveries.ts';
import { useService } from '../../harness/service/service.ts';
import { pause, rotateSecret } from '../../jobs/webhooks/webhook-care.ts';

databases('both');

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const DAY_MS = 86_400_000;

interface Rotated {
  secret: string | null;
  former_secrets_until: string | null;
}

describe('a webhook’s secret', () => {
  let tenantId: string;
  const test = useService();
  const admin = new Admin(test);
  before(async () => {
    tenantId = await addApplicant(test, test.alice, 'rotation@mail.example');
  });
  afterEach(async () => {
    // Paused, so that it gets no later events.
    await pause(test.service.runtime, hook.id, 'its test is over');
  });
  const hook = testFixture(() => addHook(test.alice, SECRET));

  const rotate = (...args: string[]) => admin.json<Rotated>('webhook', 'rotate-secret', hook.id, ...args);
  /** Bypasses the command line, which another test covers. */
  const rotateBy = async (overlapMs: number) => {
    const secret = newWebhookSecret();
    const rotated = await rotateSecret(test.service.runtime, hook.id, { secret, overlapMs });
    return { secret, former_secrets_until: rotated?.formerUntil };
  };
  const formers = () => test.service.runtime.db('former_webhook_secrets').where({ webhook_id: hook.id });
  const expire = () => formers().update({ expires_at: new Date(Date.now() - 1).toISOString() });
  /** The next delivery. */
  const delivery = async (): Promise<Received> => {
    const count = hook.receiver.received.length + 1;
    await emitTestEvent(test, tenantId);
    const last = (await hook.receiver.next('EID_SUCCESS', count)).at(-1);
    if (!last) throw new Error('nothing arrived');
    return last;
  };
  const accepts = (received: Received, secret: string | null): boolean => {
    try {
      verify(received, secret ?? '');
      return true;
    } catch {
      return false;
    }
  };

  it('can be rotated: both sign during the overlap, the current one first, and the old one no longer after it', async () => {
    const { secret, former_secrets_until } = await rotate();
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const overlapMs = new Date(former_secrets_until ?? 0).getTime() - Date.now();
    expect(overlapMs).to.be.within(DAY_MS - 60_000, DAY_MS);
    const during = await delivery();
    for (const known of [SECRET, secret]) expect(accepts(during, known)).to.equal(true);
    const [first = ''] = (during.headers['webhook-signature'] ?? '').split(' ');
    expect(accepts({ ...during, headers: { ...during.headers, 'webhook-signature': first } }, secret)).to.equal(true);
    const [listed] = await admin.json<Rotated[]>('webhook', 'list', '--limit', '1');
    expect(listed).to.include({ former_secrets_until });
    expect(await admin.text('webhook', 'list')).to.match(
      /: a replaced secret signs until 20\d\d-\d\d-\d\d \d\d:\d\dZ\.\n$/,
    );
    await expire();
    const after = await delivery();
    expect([accepts(after, secret), accepts(after, SECRET)]).to.deep.equal([true, false]);
  });

  it('can be rotated repeatedly within the overlap, and the next rotation deletes expired ones', async () => {
    const second = await rotate('--overlap', '7d');
    const third = await rotateBy(1_800_000);
    const during = await delivery();
    for (const known of [SECRET, second.secret, third.secret]) expect(accepts(during, known)).to.equal(true);
    expect(await formers()).to.have.length(2);
    // The first secret keeps signing for a week, regardless of the overlap of the second rotation.
    expect(third.former_secrets_until).to.be.a('string').and.equal(second.former_secrets_until);
    await expire();
    const fourth = await rotateBy(DAY_MS);
    expect(await formers()).to.have.length(1);
    const after = await delivery();
    const known = [SECRET, second.secret, third.secret, fourth.secret].map((secret) => accepts(after, secret));
    expect(known).to.deep.equal([false, false, true, true]);
  });

  it('can be rotated with an overlap of 0, which also ends all earlier ones', async () => {
    const second = await rotateBy(DAY_MS);
    const third = await rotate('--overlap', '0');
    expect(third.former_secrets_until).to.equal(null);
    expect(await formers()).to.deep.equal([]);
    const after = await delivery();
    const known = [SECRET, second.secret, third.secret].map((secret) => accepts(after, secret));
    expect(known).to.deep.equal([false, false, true]);
  });

  it('can be any text of the operator’s, from a file or standard input, and is not shown', async () => {
    const plain = 'contraseña 🏠, not base64';
    const given = await rotate('--secret-file', await admin.file(`${plain}\n`, 'secret.txt'));
    expect(given.secret).to.equal(null);
    const args = ['webhook', 'rotate-secret', hook.id, '--secret-file', '-'];
    const again = await admin.run(args, {}, undefined, plain);
    expect(again).to.include({ code: 1, stdout: '' });
    expect(again.stderr).to.match(/webhook already has this secret/);
    const other = await admin.run(args, {}, undefined, `${SECRET}\r\n`);
    expect(other).to.include({ code: 0, stderr: '' });
    expect(other.stdout).to.include('--overlap 0 ends all former secrets').and.not.include(SECRET);
    expect(accepts(await delivery(), SECRET)).to.equal(true);
  });

  it('is read from a file verbatim, except one line break at its end; an invalid one is refused', async () => {
    const read = async (content: string | Buffer) => readSecretFile(await admin.file(content, 'secret.txt'));
    expect(await read(' a\n\n')).to.deep.equal({ secret: ' a\n', hadLineBreak: true });
    expect(await read('\ufeffa\r\n')).to.deep.equal({ secret: '\ufeffa', hadLineBreak: true });
    expect(await read('a')).to.deep.equal({ secret: 'a', hadLineBreak: false });
    const refused = (content: string | Buffer) => read(content).then(String, ({ message }) => message);
    for (const content of ['', '\n', '\r\n']) expect(await refused(content)).to.match(/the file is empty$/);
    expect(await refused(Buffer.from([0xff, 0x61]))).to.match(/not in UTF-8/);
  });

  it('signs for 90 more days at most', async () => {
    expect(['0', '30m', '90d'].map(parseOverlap)).to.deep.equal([0, 1_800_000, 90 * DAY_MS]);
    for (const text of ['1', '-1h', '91d', 'soon', '']) expect(() => parseOverlap(text), text).to.throw(/up to 90d/);
    expect(await misunderstood('webhook', 'rotate-secret', hook.id, '--overlap', '91d')).to.match(/up to 90d/);
  });

  it('can be added to a webhook without one, and is never stored in the clear', async () => {
    await test.service.runtime.db('webhooks').where({ id: hook.id }).update({ sealed_secret: null });
    const { secret, former_secrets_until } = await rotate();
    expect(former_secrets_until).to.equal(null);
    expect(accepts(await delivery(), secret)).to.equal(true);
    await rotateBy(DAY_MS);
    const { db } = test.service.runtime;
    const stored = JSON.stringify([await db('webhooks'), await formers()]);
    expect(stored).to.not.include(secret?.slice('whsec_'.length));
  });

  it('is replaced by a rotation even when no key opens it, and then signs although no key opens the former one', async () => {
    const broken = Buffer.alloc(64).toString('base64');
    await test.service.runtime.db('webhooks').where({ id: hook.id }).update({ sealed_secret: broken });
    const { secret, former_secrets_until } = await rotate();
    expect(former_secrets_until).to.not.equal(null);
    expect(accepts(await delivery(), secret)).to.equal(true);
  });
});
