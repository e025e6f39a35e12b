import { expect } from 'chai';
import { MAX_FORMER_SECRETS } from '../../core/secrets/former-secrets.ts';
import { hashSecret } from '../../core/secrets/secrets.ts';
import type { ApiKeyRow } from '../../db/access/api-key-states.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { replaceClientSecret } from '../../db/access/client-secrets.ts';
import { databases } from '../../harness/database/dialect.ts';
import { Admin, columnsOf, misunderstood } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { MAX_MEMBER_KEYS } from '../../jobs/access/keys.ts';

databases('either');

const HOUR_MS = 3_600_000;
const PAST = '2020-01-31T12:00:00.000Z';

interface Key {
  client_id: string;
  key_id: string;
  client_secret: string;
  status: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  former_secrets_until: string | null;
}

describe('the command line’s API keys', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const admin = new Admin(test);
  /** The command line uses the system clock. */
  afterEach(() => test.setNow(new Date()));

  /** Directly, because another test covers the command. */
  const given = async () => {
    const { db } = test.service.runtime;
    const { apiKey, clientSecret } = await createApiKey(db, test.landlords.ours, 'Website', new Date());
    return { ...apiKey, client_secret: clientSecret };
  };
  const rotated = async (key: ApiKeyRow) => {
    const [now, formerUntil] = [new Date(), new Date(Date.now() + HOUR_MS)];
    return test.service.runtime.db.transaction((trx) =>
      replaceClientSecret(trx, key, { mode: 'sandbox', now, formerUntil }),
    );
  };
  const change = (key: ApiKeyRow, columns: Partial<ApiKeyRow>) =>
    test.service.runtime.db('api_keys').where({ id: key.id }).update(columns);
  const show = (clientId: string) => admin.json<Key>('key', 'show', clientId);
  const rotate = (clientId: string, ...args: string[]) => admin.json<Key>('key', 'rotate', clientId, ...args);
  const client = (clientId: string, secret: string) => new Client(test.service.url, clientId, secret);
  const opens = async (clientId: string, secret: string) =>
    (await client(clientId, secret).call('generateToken')).status === 200;
  const audited = async (keyId: string) => {
    const entries = await test.service.runtime.db('audit_entries').where({ resource_id: keyId }).orderBy('sequence');
    return entries.map(({ actor_kind, action }) => `${actor_kind} ${action}`);
  };
  const inMs = (moment: string | null) => new Date(moment ?? '').getTime() - Date.now();

  it('create adds more than members may have', async () => {
    for (let count = 0; count < MAX_MEMBER_KEYS; count++) await given();
    const { client_id } = await admin.json<Key>(
      ...['key', 'create', '--landlord', test.landlords.ours, '--name', 'One more'],
    );
    expect((await show(client_id)).status).to.equal('active');
  });

  it('rotate issues a new secret, and keeps the former one and its tokens valid until the overlap ends', async () => {
    const first = await given();
    const holder = client(first.client_id, first.client_secret);
    await holder.authenticate();
    const second = await rotate(first.client_id);
    expect(second.client_secret)
      .to.match(/^sandbox_/)
      .and.not.equal(first.client_secret);
    expect(inMs(second.former_secrets_until)).to.be.within(23.9 * HOUR_MS, 24 * HOUR_MS);
    const third = await rotate(first.client_id, '--overlap', '1h');
    expect(third.former_secrets_until, 'the first was promised more').to.equal(second.former_secrets_until);
    const secrets = [first, second, third].map(({ client_secret }) => client_secret);
    const opened = () => Promise.all(secrets.map((secret) => opens(first.client_id, secret)));
    expect(await opened()).to.deep.equal([true, true, true]);
    await holder.ok('listWorkspaces');
    const shown = await show(first.client_id);
    expect(shown).to.include({ status: 'active', former_secrets_until: second.former_secrets_until });

    test.setNow(new Date(Date.now() + 2 * HOUR_MS));
    expect(await opened(), 'the overlap of the second ended').to.deep.equal([true, false, true]);
    test.setNow(new Date(Date.now() + 25 * HOUR_MS));
    expect(await opened(), 'that of the first, too').to.deep.equal([false, false, true]);

    const rows = await test.service.runtime.db('former_client_secrets').where({ api_key_id: shown.key_id });
    const stored = JSON.stringify([rows, await test.service.runtime.db('api_keys').where({ id: shown.key_id })]);
    for (const secret of secrets) expect(stored).to.include(hashSecret(secret)).and.not.include(secret);
    expect(await audited(shown.key_id)).to.deep.equal(['operator key.rotate', 'operator key.rotate']);
  });

  it('rotate refuses to keep more than a few former secrets valid, and says what ends them', async () => {
    const key = await given();
    for (let former = 0; former < MAX_FORMER_SECRETS; former++) await rotated(key);
    const rotate = ['key', 'rotate', key.client_id];
    expect(await admin.refused(1, rotate)).to.match(
      /10 replaced secrets are still valid. Wait until 20.*an overlap of 0/,
    );
    await admin.text(...rotate, '--overlap', '0');
  });

  it('rotate with an overlap of 0 ends all former secrets immediately, but not the tokens', async () => {
    const first = await given();
    const holder = client(first.client_id, first.client_secret);
    await holder.authenticate();
    const second = await rotated(first);
    const text = await admin.text('key', 'rotate', first.client_id, '--overlap', '0');
    expect(text)
      .to.include('no other is accepted')
      .and.match(/tokens .*stay valid for their hour/i);
    const third = /^client secret +(\S+)$/m.exec(text)?.[1] ?? '';
    const secrets = [first.client_secret, second, third];
    const opened = await Promise.all(secrets.map((secret) => opens(first.client_id, secret)));
    expect(opened).to.deep.equal([false, false, true]);
    await holder.ok('listWorkspaces');
  });

  it('two concurrent rotations lose no secret', async () => {
    const first = await given();
    const others = await Promise.all([rotate(first.client_id), rotate(first.client_id)]);
    for (const { client_secret } of [first, ...others])
      expect(await opens(first.client_id, client_secret)).to.equal(true);
  });

  it('revoke asks for confirmation, then ends all tokens and secrets immediately and permanently', async () => {
    const first = await given();
    const holder = client(first.client_id, first.client_secret);
    await holder.authenticate();
    const second = await rotated(first);
    expect(await admin.refused(2, ['key', 'revoke', first.client_id])).to.match(/"Website" of Casa Clara.*--yes/);
    await holder.ok('listWorkspaces');
    const revoked = await admin.json<Key>('key', 'revoke', first.client_id, '--yes');
    expect(revoked).to.include({ status: 'revoked', former_secrets_until: null });
    await holder.refused('listWorkspaces', 401);
    for (const secret of [first.client_secret, second]) expect(await opens(first.client_id, secret)).to.equal(false);
    const { db } = test.service.runtime;
    expect(await db('former_client_secrets').where({ api_key_id: revoked.key_id })).to.deep.equal([]);
    expect(await admin.refused(1, ['key', 'rotate', first.client_id])).to.match(/was revoked/);
    expect(await admin.refused(1, ['key', 'expire', first.client_id, '--never'])).to.match(/was revoked/);
    expect(await admin.json('key', 'revoke', first.client_id), 'again, without a question').to.deep.equal(revoked);
    expect((await audited(revoked.key_id)).filter((entry) => entry === 'operator key.revoke')).to.have.length(1);
  });

  it('expire sets, moves and removes the end of a key, and reinstates an expired one', async () => {
    const named = ['--landlord', test.landlords.ours, '--name', 'Trial'];
    const key = await admin.json<Key>('key', 'create', ...named, '--expires', '2h');
    expect(inMs(key.expires_at)).to.be.within(1.9 * HOUR_MS, 2 * HOUR_MS);
    const at = '2999-01-31T12:00:00.000Z';
    const moved = await admin.json<Key>('key', 'expire', key.client_id, '--at', at);
    expect(moved).to.include({ status: 'expiring', expires_at: at });
    const again = await admin.text('key', 'expire', key.client_id, '--at', '2999-01-31T13:00:00+01:00');
    expect(again).to.match(/nothing changed/);
    const { db } = test.service.runtime;
    await db('api_keys').where({ id: moved.key_id }).update({ expires_at: PAST });
    expect(await opens(key.client_id, key.client_secret)).to.equal(false);
    expect(await admin.refused(1, ['key', 'rotate', key.client_id])).to.match(/has expired/);
    const freed = await admin.json<Key>('key', 'expire', key.client_id, '--never');
    expect(freed).to.include({ status: 'active', expires_at: null });
    expect(await opens(key.client_id, key.client_secret)).to.equal(true);
    expect(await audited(moved.key_id)).to.deep.equal([
      'operator key.create',
      'operator key.expire',
      'operator key.expire',
    ]);
  });

  it('list distinguishes states, shows the last use and former secrets, and never shows a secret', async () => {
    const keys = [await given(), await given(), await given(), await given()] as const;
    const [revoked, expired, expiring, active] = keys;
    await change(revoked, { revoked_at: PAST });
    await change(expired, { expires_at: PAST });
    await change(expiring, { expires_at: '2999-01-31T12:00:00.000Z' });
    await client(active.client_id, active.client_secret).authenticate();
    const second = await rotated(active);
    for (const [state, key] of [
      ['expired', expired],
      ['expiring', expiring],
    ] as const) {
      const listed = await admin.json<Key[]>('key', 'list', '--status', state, '--landlord', test.landlords.ours);
      expect(listed.map(({ client_id }) => client_id)).to.include(key.client_id);
      expect(new Set(listed.map(({ status }) => status))).to.deep.equal(new Set([state]));
    }
    const all = await admin.json<Key[]>('key', 'list');
    const found = keys.map(({ client_id }) => all.find((key) => key.client_id === client_id)?.status);
    expect(found).to.deep.equal(['revoked', 'expired', 'expiring', 'active']);
    const text = await admin.text('key', 'list');
    expect(columnsOf(text)).to.include.members(['client id', 'name', 'status', 'last used']);
    const line = text.split('\n').find((row) => row.startsWith(active.client_id)) ?? '';
    expect(line).to.match(/ active +\d\d-\d\d \d\d:\d\dZ$/);
    expect(text).to.include(`${active.client_id}: a former secret works until`);
    for (const secret of [...keys.map(({ client_secret }) => client_secret), second])
      expect(text).to.not.include(secret).and.not.include(hashSecret(secret));
    const [newest, ...others] = await admin.json<Key[]>('key', 'list', '--limit', '1');
    expect(others).to.deep.equal([]);
    expect(newest).to.have.all.keys(
      ...['client_id', 'key_id', 'name', 'landlord_id', 'landlord_name', 'status', 'created_at'],
      ...['last_used_at', 'expires_at', 'revoked_at', 'former_secrets_until'],
    );
  });

  it('reject invalid input and say where to look', async () => {
    for (const command of ['show', 'rotate'])
      expect(await admin.refused(1, ['key', command, 'absent'])).to.match(/key list/);
    const named = ['--landlord', test.landlords.ours, '--name', 'X'];
    expect(await admin.refused(2, ['key', 'create', ...named, '--expires', '2020-01-31'])).to.match(/is in the past/);
    expect(await admin.refused(2, ['key', 'expire', 'absent', '--at', '0s'])).to.match(/is in the past/);
    expect(await admin.refused(2, ['key', 'expire', 'absent'])).to.match(/--at or --never/);
    for (const when of ['0', '5', 'soon', '-1d', '4000d', '2027-02-30', '31.01.2027', '2027-01-31T12:00', '']) {
      await misunderstood('key', 'create', ...named, '--expires', when);
      await misunderstood('key', 'expire', 'absent', '--at', when);
    }
    for (const overlap of ['-1h', '91d', 'long', '1', ''])
      await misunderstood('key', 'rotate', 'absent', '--overlap', overlap);
    await misunderstood('key', 'list', '--status', 'lost');
    await misunderstood('key', 'list', '--limit', '0');
  });
});
