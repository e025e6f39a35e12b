import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createLog } from '../../core/log.ts';
import { headText, readHead } from '../../core/rules/audit-chain.ts';
import { readConfig } from '../../core/settings/config.ts';
import { recordAudit, SERVICE } from '../../db/audit/audit.ts';
import { chainHead } from '../../db/audit/audit-chain.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { chainAudit, logHead, verifyChain } from '../../jobs/upkeep/chain-audit.ts';

databases('both');

const WRITERS = 6;
const ENTRIES_EACH = 50;

describe('the chain of the audit log', () => {
  let folder: string;
  let db: Database;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'screening-audit-'));
    db = await connect(readConfig({ DATA_DIR: folder, DATABASE_URL: await freshDatabase(folder) }).database);
  });
  afterEach(async () => {
    await disconnect(db);
    await rm(folder, { recursive: true, force: true });
  });

  const record = (id: string) => db.transaction((trx) => recordAudit(trx, SERVICE, 'webhook.pause', id, new Date()));
  /** Appends this many entries. @returns the head of the chain, as an operator keeps it */
  const chained = async (count: number) => {
    for (let index = 1; index <= count; index++) await record(`resource ${index}`);
    await chainAudit({ db });
    return headText(await chainHead(db));
  };
  const verify = (kept?: string) =>
    verifyChain(
      { db },
      [kept].flatMap((text) => readHead(text ?? '') ?? []),
    );
  const entry = async (position: number) => {
    const found = await db('audit_entries').where({ position }).first();
    return found ?? expect.fail(`no entry at ${position}`);
  };

  /** Tampers as the database owner could. */
  const tampering = async (work: () => Promise<unknown>) => {
    const names = ['audit_entries_no_change', 'audit_entries_no_delete'];
    for (const name of names) await db.raw(`drop trigger ${name}${dialect === 'postgres' ? ' on audit_entries' : ''}`);
    await work();
  };

  it('includes every entry of concurrent writers exactly once, chained while they write and afterwards', async () => {
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let index = 0; index < ENTRIES_EACH; index++) await record(`${writer}-${index}`);
    });
    let isOver = false;
    const written = Promise.all(writers).finally(() => {
      isOver = true;
    });
    // Two concurrent writers, as in two processes.
    const chainers = [1, 2].map(async () => {
      while (!isOver) await chainAudit({ db });
    });
    await Promise.all([written, ...chainers]);
    await chainAudit({ db });
    const all = await db('audit_entries').orderBy('position');
    expect(all.map(({ position }) => position)).to.deep.equal(all.map((_, index) => index + 1));
    expect(new Set(all.map(({ resource_id }) => resource_id)).size).to.equal(WRITERS * ENTRIES_EACH);
    expect(await verify()).to.deep.include({ fault: undefined, waiting: 0, displaced: 0 });
  });

  if (dialect === 'postgres')
    it('includes an entry late if its transaction commits after one with a higher sequence', async () => {
      let commit = () => {};
      const held = new Promise<void>((resolve) => {
        commit = resolve;
      });
      let begun = () => {};
      const isWritten = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const slow = db.transaction(async (trx) => {
        await recordAudit(trx, SERVICE, 'webhook.pause', 'slow', new Date());
        begun();
        await held;
      });
      await isWritten;
      await record('quick');
      await chainAudit({ db });
      commit();
      await slow;
      await chainAudit({ db });
      const all = await db('audit_entries').orderBy('position');
      expect(all.map(({ resource_id }) => resource_id)).to.deep.equal(['quick', 'slow']);
      expect(all[0]?.sequence).to.be.above(all[1]?.sequence ?? 0);
      expect((await verify()).fault).to.equal(undefined);
    });

  it('reads positions and sequences as numbers on both databases', async () => {
    await chained(1);
    const { position, sequence } = await entry(1);
    expect([typeof position, typeof sequence]).to.deep.equal(['number', 'number']);
  });

  it('reports the first changed entry and stops there', async () => {
    await chained(5);
    await tampering(async () => {
      await db('audit_entries').where({ position: 3 }).update({ actor: 'someone else' });
      await db('audit_entries').where({ position: 5 }).update({ action: 'webhook.resume' });
    });
    const { fault, head } = await verify();
    expect([fault, head.position]).to.deep.equal([{ position: 3, reason: 'changed' }, 2]);
  });

  it('detects a change to any column', async () => {
    await chained(2);
    const original = await entry(2);
    const changes = {
      ...{ at: '2020-01-01T00:00:00.000Z', actor_kind: 'operator' as const, actor: 'x', action: 'x', resource_id: 'x' },
      ...{ correlation_id: 'x', sequence: 999, hash: 'f'.repeat(64) },
    };
    await tampering(async () => {});
    for (const [column, value] of Object.entries(changes)) {
      await db('audit_entries')
        .where({ position: 2 })
        .update({ [column]: value });
      expect((await verify()).fault, column).to.deep.equal({ position: 2, reason: 'changed' });
      await db('audit_entries').where({ position: 2 }).update(original);
    }
    expect((await verify()).fault).to.equal(undefined);
  });

  it('reports where an entry was removed, inserted or swapped', async () => {
    await chained(5);
    const [second, third] = [await entry(2), await entry(3)];
    await tampering(() => db('audit_entries').where({ position: 3 }).delete());
    expect((await verify()).fault, 'missing').to.deep.equal({ position: 3, reason: 'missing' });
    await db('audit_entries').insert({ ...third, resource_id: 'forged' });
    expect((await verify()).fault, 'put in').to.deep.equal({ position: 3, reason: 'changed' });
    await db('audit_entries').whereIn('position', [2, 3]).delete();
    await db('audit_entries').insert([
      { ...second, position: 3 },
      { ...third, position: 2 },
    ]);
    expect((await verify()).fault, 'swapped').to.deep.equal({ position: 2, reason: 'changed' });
    await db('audit_entries').whereIn('position', [2, 3]).delete();
    await db('audit_entries').insert([second, { ...third, position: null }]);
    expect(await verify(), 'without its place').to.deep.include({
      fault: { position: 3, reason: 'missing' },
      displaced: 1,
    });
  });

  it('reports a forged entry that blocks the next position', async () => {
    await chained(2);
    await record('waits');
    const { hash, ...forged } = { ...(await entry(1)), sequence: (await entry(1)).sequence + 900, position: 3 };
    await db('audit_entries').insert(forged);
    const message = await chainAudit({ db }).then(
      () => 'it took the place',
      (error: Error) => error.message,
    );
    expect(message).to.match(/unique/i);
    expect(await verify()).to.deep.include({ fault: { position: 3, reason: 'changed' }, waiting: 2 });
  });

  it('verifies against a saved head, which reveals truncation and rewriting', async () => {
    const early = await chained(3);
    const late = await chained(2);
    for (const kept of [early, late]) expect((await verify(kept)).fault, kept).to.equal(undefined);
    await tampering(() => db('audit_entries').where({ position: 5 }).delete());
    expect((await verify()).fault, 'without a head no one can know').to.equal(undefined);
    expect((await verify(late)).fault).to.deep.equal({ position: 5, reason: 'cut' });
    expect((await verify(early)).fault).to.equal(undefined);
    const [second, third] = [await entry(2), await entry(3)];
    await db('audit_entries').where('position', '>', 1).delete();
    const forged = [{ ...second, actor: 'nobody' }, third].map((row) => ({ ...row, position: null, hash: null }));
    await db('audit_entries').insert(forged);
    await chainAudit({ db });
    expect((await verify()).fault, 'every hash was computed again').to.equal(undefined);
    expect((await verify(early)).fault).to.deep.equal({ position: 3, reason: 'rewritten' });
  });

  it('has its head logged only when it has changed', async () => {
    const told: unknown[] = [];
    const listening = Object.assign(createLog('silent'), { info: (fields: unknown) => told.push(fields) });
    const tell = logHead({ db, log: listening });
    await tell();
    const first = await chained(1);
    await tell();
    await tell();
    const second = await chained(1);
    await tell();
    expect(told).to.deep.equal([{ head: first }, { head: second }]);
  });
});
