import { createWriteStream } from 'node:fs';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { expect } from 'chai';
import { exportLine, headText } from '../../core/rules/audit-chain.ts';
import { nameBefore, nameFrom, partitionedTables } from '../../core/rules/partitions.ts';
import { keyRing } from '../../core/secrets/key-ring.ts';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { DAY_MS } from '../../core/time.ts';
import { SERVICE } from '../../db/audit/audit.ts';
import { archivedHead, headOf, isRemovalLeft, listArchives } from '../../db/audit/audit-archives.ts';
import { chainHead, placedEntries } from '../../db/audit/audit-chain.ts';
import { connect, disconnect, open } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { listPartitions } from '../../db/connection/partitions/partitions.ts';
import { tendPartitions } from '../../db/connection/partitions/tend-partitions.ts';
import { fillMonths, recordAt } from '../../harness/database/audit-months.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { temporaryFolder, testFixture } from '../../harness/mocha/fixtures.ts';
import { archiveAudit } from '../../jobs/upkeep/audit-archive.ts';
import { sealedExport, verifyExport } from '../../jobs/upkeep/audit-file.ts';
import { chainAudit, verifyChain } from '../../jobs/upkeep/chain-audit.ts';

databases('both');

const TABLE = 'audit_entries';
const MONTHS = 5;
const EACH = 20;
/** The partition with the entries from before partitioning. */
const OLD = 50;
const old = {
  at: '2020-01-01T00:00:00.000Z',
  actor_kind: 'service' as const,
  actor: 'service',
  action: 'webhook.pause',
};
const HOLDS = { fault: undefined, waiting: 0, displaced: 0 };

describe('archives of the audit log', () => {
  const folder = testFixture(temporaryFolder);
  const encryption = keyRing(Buffer.alloc(32, 1), []);
  let config: Config;
  let db: Database;
  let starts: Date[];
  let now: Date;
  beforeEach(async () => {
    config = readConfig({ DATA_DIR: folder.path, DATABASE_URL: await freshDatabase(folder.path) });
    db = await connect(config.database);
    await db(TABLE).insert(
      Array.from({ length: OLD }, (_, at) => ({ ...old, sequence: at + 1, resource_id: `old ${at}` })),
    );
    await chainAudit({ db });
    starts = await fillMonths(db, MONTHS, EACH);
    now = new Date();
  });
  afterEach(() => disconnect(db));

  const pathOf = (name: string) => join(folder.path, name);
  const write = (file: string) => (content: AsyncIterable<Buffer>) =>
    pipeline(content, createWriteStream(file, { flags: 'wx' }));
  const service = () => ({ db, keys: { encryption }, now: () => now });
  const archive = (before: Date | undefined, name: string) => {
    const file = pathOf(name);
    return archiveAudit(service(), { file, before: before ?? now, by: SERVICE, write: write(file) });
  };
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'it was done',
      (error: Error) => error.message,
    );
  const inLog = () => db(TABLE).whereNotNull('position').orderBy('position').pluck('position');
  const names = async () => {
    const one = partitionedTables.find(({ table }) => table === TABLE) ?? expect.fail('no table');
    return (await listPartitions(db, one)).map(({ name }) => name);
  };

  it('keep the chain verifiable after one archive, a second one and a restart, with every saved head', async () => {
    const kept = await chainHead(db);
    const all = await Array.fromAsync(placedEntries(db, { position: 0, hash: '' }));
    const first = (await archive(starts[1], 'first')) ?? expect.fail('nothing was archived');
    expect(first.isRemoved).to.equal(true);
    expect(await verifyChain({ db }, [kept])).to.deep.include({ ...HOLDS, archived: first.head.position });
    const second = (await archive(starts[3], 'second')) ?? expect.fail('nothing was archived');
    expect(second.from).to.deep.equal(first.head);
    await disconnect(db);
    db = await connect(config.database);
    await recordAt(db, 'afterwards', now);
    await chainAudit({ db });
    const verdict = await verifyChain({ db }, [kept, second.head]);
    expect(verdict).to.deep.include({ ...HOLDS, archived: second.head.position });
    // Two entries record the archives.
    expect(verdict.head.position).to.equal(kept.position + 3);
    const heads = (await listArchives(db)).map(headOf);
    expect(heads).to.deep.equal([first.head, second.head]);
    const files = await Promise.all(['first', 'second'].map((name) => verifyExport(pathOf(name), encryption, heads)));
    expect(files.map(({ from, head, fault }) => [from.position, head, fault])).to.deep.equal([
      [0, first.head, undefined],
      [first.head.position, second.head, undefined],
    ]);
    // Each entry is in exactly one of the three.
    expect(await inLog()).to.deep.equal(
      Array.from({ length: verdict.head.position - second.head.position }, (_, at) => second.head.position + at + 1),
    );
    const young = all.filter(
      ({ position, at }) => position <= second.head.position && at >= (starts[3]?.toISOString() ?? ''),
    );
    expect(young.length, 'chained before the last one of a partition').to.equal(dialect === 'postgres' ? 2 : 0);
    const left = all.filter(
      ({ position, at }) => position > second.head.position && at < (starts[3]?.toISOString() ?? ''),
    );
    expect(left).to.deep.equal([]);
  });

  if (dialect === 'postgres')
    it('remove whole partitions, and empty the one from before partitioning', async () => {
      const month = (at: number) => nameFrom(TABLE, starts[at] ?? new Date());
      const optionsOf = async (name: string) =>
        (await db.raw('select reloptions from pg_class where oid = to_regclass(?)', [name])).rows[0]?.reloptions;
      const [before, options] = [await names(), await optionsOf(nameBefore(TABLE))];
      expect(before).to.include.members([nameBefore(TABLE), month(0), month(1), month(2)]);
      const fileOf = async () =>
        (await db.raw('select pg_relation_filenode(?) as file', [nameBefore(TABLE)])).rows[0].file;
      const file = await fileOf();
      const { head } = (await archive(starts[4], 'archive')) ?? expect.fail('nothing was archived');
      expect(await names()).to.deep.equal(before.filter((name) => ![0, 1, 2, 3].map(month).includes(name)));
      expect(await fileOf(), 'a new table').to.not.equal(file);
      expect(options).to.be.an('array');
      for (const name of [nameBefore(TABLE), month(4)]) expect(await optionsOf(name), name).to.deep.equal(options);
      expect(await refusal(db.raw(`truncate ${nameBefore(TABLE)}`))).to.include('append-only');
      // The entries that were chained late, and the leader's work afterwards.
      expect((await inLog())[0]).to.equal(head.position + 1);
      await tendPartitions(db, { payloads: 30, records: 90 }, now);
      expect((await verifyChain({ db })).fault).to.equal(undefined);
    });

  it('permit deleting only the entries they contain, and are immutable', async () => {
    const { head } = (await archive(starts[2], 'archive')) ?? expect.fail('nothing was archived');
    const { position: last } = await chainHead(db);
    for (const position of [head.position + 1, last])
      expect(await refusal(db(TABLE).where({ position }).delete()), `${position}`).to.include('append-only');
    expect((await inLog()).at(-1)).to.equal(last);
    await recordAt(db, 'not chained', now);
    expect(await refusal(db(TABLE).whereNull('position').delete())).to.include('append-only');
    expect(await refusal(db('audit_archives').update({ last_position: 10_000 }))).to.include('append-only');
    expect(await refusal(db('audit_archives').delete())).to.include('append-only');
  });

  it('are refused for entries of the last 90 days, are never empty, and exclude partitions that reach past the given date', async () => {
    const limit = new Date(now.getTime() - 90 * DAY_MS);
    expect(await refusal(archive(new Date(limit.getTime() + 1), 'none'))).to.include('the last 90 days stay');
    expect(await archive(new Date(old.at), 'none')).to.equal(undefined);
    expect(await refusal(access(pathOf('none')))).to.include('ENOENT');
    expect(await listArchives(db)).to.deep.equal([]);
    if (dialect === 'postgres') {
      const middle = new Date((starts[2] ?? now).getTime() + 10 * DAY_MS);
      const { head } = (await archive(middle, 'archive')) ?? expect.fail('nothing was archived');
      const [next] = await db(TABLE).orderBy('position');
      expect([next?.position, next?.resource_id]).to.deep.equal([head.position + 1, 'month 2, 1']);
    }
  });

  it('reuse an existing sealed file if it contains the entries', async () => {
    const all = await Array.fromAsync(placedEntries(db, { position: 0, hash: '' }));
    async function* lines(entries = all) {
      for (const entry of entries) yield Buffer.from(`${exportLine(entry, entry.hash)}\n`);
    }
    const cases = {
      plain: [lines(), 'is not sealed'],
      short: [sealedExport(lines(all.slice(0, 5)), encryption), 'does not hold the positions 1 to '],
      gap: [sealedExport(lines(all.toSpliced(2, 1)), encryption), 'the entry at position 3 is missing'],
      strange: [sealedExport(lines(), keyRing(Buffer.alloc(32, 9), [])), 'needs the encryption key'],
    } as const;
    for (const [name, [content, complaint]] of Object.entries(cases)) {
      await write(pathOf(name))(content);
      expect(await refusal(archive(starts[2], name)), name).to.include(complaint);
    }
    await write(pathOf('whole'))(sealedExport(lines(), encryption));
    const bytes = await readFile(pathOf('whole'));
    const broken = Buffer.from(bytes);
    broken[500] = (broken[500] ?? 0) ^ 1;
    await writeFile(pathOf('broken'), broken);
    expect(await refusal(archive(starts[2], 'broken'))).to.include('its seal is broken');
    expect([await inLog(), await listArchives(db)]).to.deep.equal([all.map(({ position }) => position), []]);
    const { head } = (await archive(starts[2], 'whole')) ?? expect.fail('nothing was archived');
    expect(await readFile(pathOf('whole'))).to.deep.equal(bytes);
    expect((await inLog())[0]).to.equal(head.position + 1);
    expect((await verifyChain({ db })).fault).to.equal(undefined);
  });

  it('are refused when the log fails verification', async () => {
    for (const name of ['audit_entries_no_change'])
      await db.raw(`drop trigger ${name}${dialect === 'postgres' ? ` on ${TABLE}` : ''}`);
    await db(TABLE).where({ position: 7 }).update({ actor: 'someone else' });
    expect(await refusal(archive(starts[2], 'archive'))).to.include(
      'the entry at position 7, or its place, was changed',
    );
    expect(await refusal(access(pathOf('archive')))).to.include('ENOENT');
    expect(await listArchives(db)).to.deep.equal([]);
  });

  it('fail verification when forged: one that does not fit the chain is detected', async () => {
    const { head } = (await archive(starts[2], 'archive')) ?? expect.fail('nothing was archived');
    await db.raw(
      dialect === 'postgres'
        ? 'drop trigger audit_archives_no_change on audit_archives'
        : 'drop trigger audit_archives_no_update',
    );
    await db('audit_archives').update({ last_hash: 'f'.repeat(64) });
    expect((await verifyChain({ db })).fault).to.deep.equal({ position: head.position + 1, reason: 'changed' });
    expect((await verifyChain({ db }, [head])).fault).to.deep.equal({ position: head.position, reason: 'rewritten' });
    await db('audit_archives').update({ last_hash: head.hash, last_position: head.position - 1 });
    expect((await verifyChain({ db })).fault).to.deep.equal({ position: head.position, reason: 'missing' });
  });

  it('are named by digest when a saved head is no longer in the log, and verify that head', async () => {
    const [third] = await db(TABLE).where({ position: 3 });
    const { sha256, head } = (await archive(starts[2], 'archive')) ?? expect.fail('nothing was archived');
    const kept = { position: 3, hash: third?.hash ?? '' };
    expect(await refusal(verifyChain({ db }, [kept]))).to.include(sha256);
    expect((await verifyExport(pathOf('archive'), encryption, [kept])).fault).to.equal(undefined);
    const other = { ...kept, hash: '0'.repeat(64) };
    expect((await verifyExport(pathOf('archive'), encryption, [other])).fault).to.deep.equal({
      position: 3,
      reason: 'rewritten',
    });
    expect(await archivedHead(db)).to.deep.equal(head);
    expect(headText(head)).to.equal(
      (await db(TABLE).where({ action: 'database.archive-audit' }).first('resource_id'))?.resource_id,
    );
  });

  if (dialect === 'postgres')
    it('are completed on the next run when a transaction locks the entries', async () => {
      // Without the service's time limits, which would abort the transaction.
      const other = await open(config.database);
      const reader = await other.transaction();
      await reader(TABLE).first();
      const before = await inLog();
      const { isRemoved } = (await archive(starts[2], 'archive')) ?? expect.fail('nothing was archived');
      expect([isRemoved, await isRemovalLeft(db)]).to.deep.equal([false, true]);
      expect(await inLog()).to.include.members(before);
      await reader.rollback();
      await disconnect(other);
      expect(await archive(starts[2], 'none')).to.equal(undefined);
      expect(await isRemovalLeft(db)).to.equal(false);
      expect((await verifyChain({ db })).fault).to.equal(undefined);
    });
});
