import { type ChildProcess, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { newId } from '../../core/ids.ts';
import { headText } from '../../core/rules/audit-chain.ts';
import { keyRing } from '../../core/secrets/key-ring.ts';
import { DAY_MS } from '../../core/time.ts';
import { archivedHead, headOf, listArchives } from '../../db/audit/audit-archives.ts';
import { chainHead } from '../../db/audit/audit-chain.ts';
import { disconnect, open } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { fillMonths } from '../../harness/database/audit-months.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { PATIENCE, programEnv, spawnProgram } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin, misunderstood } from '../../harness/service/admin.ts';
import { OLD, withKeys } from '../../harness/service/rotation.ts';
import { useServicePerTest } from '../../harness/service/service.ts';
import { verifyExport } from '../../jobs/upkeep/audit-file.ts';
import { verifyChain } from '../../jobs/upkeep/chain-audit.ts';

databases('either');

const MONTHS = 4;
/** More entries than one statement removes. */
const EACH = 1_200;
const PROGRAM = new URL('../../bin/admin.ts', import.meta.url).pathname;

interface Archived {
  first_position: number;
  last_position: number;
  head: string;
  sha256: string;
  is_removed: boolean;
}

describe('the command line’s archives of the audit log', () => {
  const test = useServicePerTest({ ...withKeys(OLD), RUN_WORKERS: 'false' });
  const admin = new Admin(test, { ...PATIENCE, ...withKeys(OLD), OPERATOR: 'ana' });
  const encryption = keyRing(Buffer.from(OLD, 'base64'), []);
  let db: Database;
  let starts: Date[];
  let file: string;
  beforeEach(async () => {
    db = test.service.runtime.db;
    starts = await fillMonths(db, MONTHS, EACH);
    file = join(test.folder, 'audit.sealed');
  });

  const argsOf = (months: number) => [
    ...['audit', 'archive', '--before', starts[months]?.toISOString() ?? '', '--to', file, '--yes'],
  ];
  /** Runs `audit archive` in a process that can be killed. */
  const start = (months: number): ChildProcess => spawnProgram('../../bin/admin.ts', admin.env, argsOf(months));
  const archive = (months: number) => admin.json<Archived>(...argsOf(months));
  const verify = (...options: string[]) =>
    admin.json<{ holds: boolean; entries: number; archived: number; head: string }>('audit', 'verify', ...options);

  it('move old entries into a file; what is left, the file and heads from before are verified', async () => {
    const kept = headText(await chainHead(db));
    const third = await db('audit_entries').where({ position: 3 }).first();
    const old = `3:${third?.hash}`;
    const { first_position, last_position, head, sha256, is_removed } = await archive(2);
    expect({ first_position, is_removed }).to.deep.equal({ first_position: 1, is_removed: true });
    expect(
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ).to.equal(sha256);
    expect(await verify('--head', kept)).to.deep.include({ holds: true, archived: last_position });
    expect(await verify('--head', head)).to.include({ holds: true });
    expect(await verify('--file', file)).to.include({ holds: true });
    expect(await verify('--file', file, '--head', old)).to.include({ holds: true });
    expect(await verify('--file', file, '--head', kept)).to.include({ holds: true });
    const refused = await admin.refused(1, ['audit', 'verify', '--head', old]);
    expect(refused).to.include(sha256).and.include('audit verify --file');
    const forged = await admin.run(['audit', 'verify', '--file', file, '--head', `3:${'0'.repeat(64)}`]);
    expect(forged).to.include({ code: 1 });
    expect(forged.stdout).to.include('was rewritten up to position 3');

    const list = await admin.json<object[]>('audit', 'archives');
    expect(list).to.have.length(1);
    expect(list[0]).to.deep.include({ first_position, last_position, head, sha256 });
    expect(await admin.text('audit', 'list', '--action', 'database.archive-audit')).to.include(
      `up to position ${last_position}, are archived`,
    );
    file = join(test.folder, 'second.sealed');
    const second = await archive(3);
    expect(second.first_position).to.equal(last_position + 1);
    for (const name of ['audit.sealed', 'second.sealed'])
      expect(await verify('--file', join(test.folder, name)), name).to.include({ holds: true });
    expect(await archive(3)).to.deep.equal({
      ...{ file: null, first_position: null, last_position: null, head: null, sha256: null, key: null },
      is_removed: true,
    });
  });

  it('are no fault for a verification that runs meanwhile', async () => {
    const ended: (number | null)[] = [];
    const verdict = await verifyChain({ db }, [], (done) => {
      // This process waits after it has read its first page.
      if (done === 1 && ended.length === 0)
        ended.push(
          spawnSync(process.execPath, [PROGRAM, ...argsOf(3)], { env: { ...programEnv(), ...admin.env } }).status,
        );
    });
    expect(ended).to.deep.equal([0]);
    expect(verdict).to.deep.include({ fault: undefined, archived: (await archivedHead(db)).position });
    expect(verdict.archived).to.be.above(EACH);
  });

  it('show that a file was changed or is gone, or that an export ends within an archive', async () => {
    const plain = join(test.folder, 'plain.jsonl');
    await admin.json('audit', 'export', '--to', plain);
    await archive(2);
    const lines = (await readFile(plain, 'utf8')).split('\n');
    await writeFile(plain, `${lines.slice(0, 5).join('\n')}\n`);
    expect(await admin.refused(1, ['audit', 'verify', '--file', plain])).to.include(
      'ends at position 5, and the log begins',
    );
    const bytes = await readFile(file);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    await writeFile(file, bytes);
    expect(await admin.refused(1, ['audit', 'verify', '--file', file])).to.include('its seal is broken');
    await rm(file);
    expect(await admin.refused(1, ['audit', 'verify', '--file', file])).to.include('cannot read');
  });

  it('are not made without a confirmation, of the last 90 days, or in place of another file', async () => {
    const before = ['audit', 'archive', '--before', '2020-01-31', '--to', file];
    expect(await admin.refused(2, before))
      .to.include('will be in')
      .and.include('add --yes');
    const today = new Date().toISOString().slice(0, 10);
    expect(await admin.refused(1, ['audit', 'archive', '--before', today, '--to', file, '--yes'])).to.include(
      'the last 90 days stay in the log',
    );
    await misunderstood('audit', 'archive', '--to', file);
    await writeFile(file, 'a letter\n');
    expect(await admin.refused(1, argsOf(2))).to.include('audit.sealed');
    expect(await readFile(file, 'utf8')).to.equal('a letter\n');
    expect(await listArchives(db)).to.deep.equal([]);
  });

  /** The points at which the command is killed: facts that hold from a step on. */
  const steps: Record<string, () => Promise<boolean | undefined>> = {
    'the file is being written': async () => (await readdir(test.folder)).some((name) => name.endsWith('.part')),
    'the file is there': async () => (await readdir(test.folder)).includes('audit.sealed'),
    'the archive is recorded': async () => (await listArchives(db)).length > 0,
    'entries are being removed': async () => !(await db('audit_entries').where({ position: 1 }).first()),
  };
  for (const [step, isSeen] of Object.entries(steps))
    it(`lose nothing when the command is killed once ${step}, and are finished by the same command`, async () => {
      const kept = headText(await chainHead(db));
      const entries = await db('audit_entries').orderBy('position').pluck('position');
      const killed = start(2);
      const ended = once(killed, 'exit');
      // The command may outrun the polling; the invariant must hold at any point.
      await until(step, async () => (await isSeen()) || killed.exitCode !== null || undefined);
      killed.kill('SIGKILL');
      await ended;
      const inLog = new Set(await db('audit_entries').whereNotNull('position').pluck('position'));
      const recorded = (await listArchives(db)).map(headOf);
      const inFile = recorded[0] ? (await verifyExport(file, encryption, recorded)).head.position : 0;
      expect(entries.filter((position) => !inLog.has(position) && Number(position) > inFile)).to.deep.equal([]);
      const archived = await archive(2);
      expect(archived.is_removed).to.equal(true);
      const [only] = await listArchives(db);
      expect((await listArchives(db)).length).to.equal(1);
      expect((await verifyExport(file, encryption)).head).to.deep.equal(only && headOf(only));
      expect(
        await db('audit_entries')
          .where('position', '<=', only?.last_position ?? 0)
          .first(),
      ).to.equal(undefined);
      expect(await verify('--head', kept)).to.include({ holds: true });
      expect(await verify('--file', file)).to.include({ holds: true });
    });

  it('remove what killed commands left in their folder a day ago, and nothing else', async () => {
    const left = `.${newId()}.part`;
    const others = [`.${newId()}.part`, `.audit.${newId()}.part`, `${newId()}.part`, `.${randomUUID()}.part`];
    const longAgo = new Date(Date.now() - 2 * DAY_MS);
    for (const name of [left, ...others]) {
      await writeFile(join(test.folder, name), 'unfinished');
      if (name !== others[0]) await utimes(join(test.folder, name), longAgo, longAgo);
    }
    const folder = `.${newId()}.part`;
    await mkdir(join(test.folder, folder));
    await utimes(join(test.folder, folder), longAgo, longAgo);
    await archive(1);
    expect(await readdir(test.folder))
      .to.include.members([...others, folder])
      .and.not.include(left);
  });

  it('lose nothing when the command is killed while it waits to record the archive', async () => {
    const other = await open(test.config.database);
    const holding = await other.transaction();
    await (dialect === 'postgres'
      ? holding.raw('lock table audit_archives in share mode')
      : holding('leaders').where({ duty: 'none' }).delete());
    const killed = start(2);
    const ended = once(killed, 'exit');
    await until('the file is there', async () => (await readdir(test.folder)).includes('audit.sealed') || undefined);
    killed.kill('SIGKILL');
    await ended;
    const bytes = await readFile(file);
    await holding.rollback();
    await disconnect(other);
    expect(await listArchives(db)).to.deep.equal([]);
    const archived = await archive(2);
    expect(archived.is_removed).to.equal(true);
    expect(await readFile(file), 'the same file').to.deep.equal(bytes);
    expect(await verify('--file', file)).to.include({ holds: true });
  });
});
