import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { Admin, columnsOf, misunderstood } from '../../harness/service/admin.ts';
import { DeliveriesByHand } from '../../harness/service/deliveries-by-hand.ts';
import { NEW, OLD, withKeys } from '../../harness/service/rotation.ts';
import { useService } from '../../harness/service/service.ts';
import { exampleFile } from '../guides/guide.ts';

databases('either');

const NAME = 'ana';

interface Entry {
  actor_kind: string;
  actor: string;
  action: string;
  resource_id: string;
  position: number | null;
}

interface Verdict {
  holds: boolean;
  entries: number;
  head: string;
  waiting: number;
  fault: string | null;
  fault_position: number | null;
}

describe('the command line’s audit log', () => {
  const test = useService({ ...withKeys(OLD), RUN_WORKERS: 'false' });
  const admin = new Admin(test, { ...withKeys(NEW, OLD), OPERATOR: NAME });
  const receiver = suiteFixture(() => Receiver.start());

  const list = (...options: string[]) => admin.json<Entry[]>('audit', 'list', ...options);
  const verify = () => admin.json<Verdict>('audit', 'verify');

  it('names the operator of each command that changes something or shows a document, and what it was about', async () => {
    const { data } = await test.alice.ok('createWebhook', { body: { url: receiver.url } });
    const hook = data.id ?? '';
    const [delivery] = await new DeliveriesByHand(test).emit(test.alice);
    const { id: tenant } = await test.tenant('audited@mail.example', { of: test.alice });
    const { db } = test.service.runtime;
    const entries = () => db('audit_entries').orderBy('sequence');
    const before = (await entries()).length;
    await admin.json('webhook', 'pause', hook);
    await admin.json('webhook', 'pause', hook);
    await admin.json('webhook', 'resume', hook);
    await admin.json('webhook', 'rotate-secret', hook);
    await admin.json('webhook', 'test', hook);
    await db('deliveries').update({ status: 'failed', due_at: null, finished_at: '2026-12-01' });
    await admin.json('delivery', 'redeliver', delivery?.id ?? '');
    const file = await admin.file('a text', 'audited.txt');
    const { document_id } = await admin.json<{ document_id: string }>('document', 'add', tenant, file);
    await admin.json('document', 'extract', document_id, '--to', join(test.folder, 'extracted.txt'));
    await admin.json('encryption', 'reseal');
    const added = (await entries()).slice(before);
    expect(added.map(({ action, resource_id }) => [action, resource_id])).to.deep.equal([
      ['webhook.pause', hook],
      ['webhook.resume', hook],
      ['webhook.rotate-secret', hook],
      ['webhook.test', hook],
      ['delivery.redeliver', delivery?.id],
      ['document.add', document_id],
      ['document.extract', document_id],
      ['encryption.reseal', added.at(-1)?.resource_id],
    ]);
    expect(new Set(added.map(({ actor_kind, actor }) => `${actor_kind} ${actor}`))).to.deep.equal(
      new Set([`operator ${NAME}`]),
    );
  });

  it('is listed by resource, actor, action and time, newest first', async () => {
    const all = await list();
    const { resource_id } = all.find(({ action }) => action === 'webhook.pause') ?? expect.fail('no pause');
    const actions = ['test', 'rotate-secret', 'resume', 'pause', 'create'].map((what) => `webhook.${what}`);
    expect((await list('--resource', resource_id)).map(({ action }) => action)).to.deep.equal(actions);
    const ofOperator = await list('--action', 'webhook', '--actor', NAME, '--since', '2020-01-01');
    expect(ofOperator.map(({ action }) => action)).to.deep.equal(actions.slice(0, -1));
    expect(await list('--action', 'webhook.pause', '--since', '2100-01-01')).to.deep.equal([]);
    expect(await list('--limit', '1', '--action', 'webhook.pause')).to.deep.equal(
      all.filter(({ action }) => action === 'webhook.pause'),
    );
    const text = await admin.text('audit', 'list', '--limit', '2');
    expect(columnsOf(text)).to.have.members(['at', 'who', 'action', 'resource id']);
    expect(text)
      .to.include(`operator ${NAME}`)
      .and.match(/newest 2; --limit shows more/);
    await misunderstood('audit', 'list', '--since', 'yesterday');
    await misunderstood('audit', 'verify', '--head', 'abc');
    await misunderstood('audit', 'export');
  });

  it('is verified, tells a head, and agrees with a program that was written from the documentation alone', async () => {
    const verdict = await verify();
    const count = (await list('--limit', '1000')).length;
    expect(verdict).to.deep.include({ holds: true, entries: count, waiting: 0, fault: null, fault_position: null });
    expect(verdict.head).to.match(new RegExp(`^${count}:[0-9a-f]{64}$`));
    expect(await admin.text('audit', 'verify', '--head', verdict.head)).to.match(/^The audit log holds/);
    const file = join(test.folder, 'audit.jsonl');
    expect(await admin.json('audit', 'export', '--to', file)).to.deep.equal({ file, entries: count });
    expect(await admin.refused(1, ['audit', 'export', '--to', file])).to.include('--force replaces it');
    const program = exampleFile('examples/verify-audit.mjs');
    const check = () => promisify(execFile)(process.execPath, [program, file]);
    expect((await check()).stdout).to.equal(`${verdict.head}\n`);
    await writeFile(file, (await readFile(file, 'utf8')).replace(`"actor":"${NAME}"`, '"actor":"eva"'));
    const fault = await check().catch(({ stderr }: { stderr: string }) => stderr);
    expect(fault).to.match(/Position \d+ does not fit/);
  });

  it('is exported sealed; the file is verified, the log must continue it, and a tampered byte is detected', async () => {
    const [plain, sealed] = ['plain.jsonl', 'audit.sealed'].map((name) => join(test.folder, name));
    const { entries } = await admin.json<{ entries: number }>('audit', 'export', '--to', plain ?? '');
    expect(await admin.json('audit', 'export', '--sealed', '--to', sealed ?? '')).to.deep.equal({
      file: sealed,
      entries,
    });
    const bytes = await readFile(sealed ?? '');
    expect(bytes.toString('latin1')).to.not.include('webhook.pause');
    await admin.json('webhook', 'list');
    for (const file of [plain, sealed])
      expect(await admin.json<Verdict>('audit', 'verify', '--file', file ?? '')).to.include({ holds: true });
    const FIRST_LINE = 42;
    const copy = join(test.folder, 'copy.sealed');
    for (const place of [FIRST_LINE + 5, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      await writeFile(copy, changed);
      expect(await admin.refused(1, ['audit', 'verify', '--file', copy]), `${place}`).to.include('its seal is broken');
    }
    await writeFile(copy, bytes.subarray(0, -40));
    expect(await admin.refused(1, ['audit', 'verify', '--file', copy])).to.include('its seal is broken');
    await writeFile(copy, bytes.toString('latin1').replace(/key [0-9a-f]{8}/, 'key 00000000'), 'latin1');
    expect(await admin.refused(1, ['audit', 'verify', '--file', copy])).to.include('the fingerprint 00000000');
    await writeFile(copy, 'no export\n');
    expect(await admin.refused(1, ['audit', 'verify', '--file', copy])).to.include('is no export');
    expect(await admin.refused(1, ['audit', 'verify', '--file', `${copy}.absent`])).to.include('cannot read');
    const lines = (await readFile(plain ?? '', 'utf8')).trimEnd().split('\n');
    const told = async (text: string[]) => {
      await writeFile(copy, `${text.join('\n')}\n`);
      return (await admin.run(['audit', 'verify', '--file', copy])).stdout;
    };
    expect(await told(lines.toSpliced(1, 1))).to.include('does not hold: the entry at position 2 is missing');
    expect(await told(lines.toSpliced(1, 1, 'x'))).to.include('the entry at position 2, or its place, was changed');
    // A shorter export verifies, and the log continues it.
    expect(await told(lines.slice(0, 3))).to.match(/^The audit log holds/);
    const rewritten = await admin.run(['audit', 'verify', '--file', copy, '--head', `1:${'0'.repeat(64)}`]);
    expect(rewritten).to.include({ code: 1 });
  });

  it('ends with code 1 and tells the place where it does not hold', async () => {
    const { db } = test.service.runtime;
    await verify();
    await db.raw(`drop trigger audit_entries_no_change${dialect === 'postgres' ? ' on audit_entries' : ''}`);
    await db('audit_entries').where({ position: 3 }).update({ actor: 'someone else' });
    const people = await admin.run(['audit', 'verify']);
    expect(people).to.include({ code: 1, stderr: '' });
    expect(people.stdout).to.match(
      /^The audit log does not hold: the entry at position 3, or its place, was changed\.\n/,
    );
    // An intact file does not hide a changed log.
    const behind = await admin.run(['audit', 'verify', '--file', join(test.folder, 'audit.sealed')]);
    expect(behind).to.include({ code: 1 });
  });
});
