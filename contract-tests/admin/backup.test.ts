import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { cp, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import Sqlite from 'better-sqlite3';
import { expect } from 'chai';
import knex from 'knex';
import type { Manifest } from '../../core/rules/backup-manifest.ts';
import { readConfig } from '../../core/settings/config.ts';
import { disconnect, open } from '../../db/connection/connect.ts';
import { migrations } from '../../db/migrations/index.ts';
import { databases } from '../../harness/database/dialect.ts';
import { spawnProgram } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { OLD, STRANGE, withKeys } from '../../harness/service/rotation.ts';
import { startTestService, useService } from '../../harness/service/service.ts';
import { backUp } from '../../jobs/upkeep/back-up.ts';
import { checkBackup, restoreBackup } from '../../jobs/upkeep/restore-backup.ts';
import { documentFile } from '../../providers/documents/document-folder.ts';

databases('sqlite');

const WRITERS = 4;
const FIRST_WRITES = 100;

describe('a backup of SQLite', () => {
  let backup: string;
  /** A second machine: an empty folder and the same keys. */
  let elsewhere: Record<string, string>;
  const acknowledged: string[] = [];
  let isWriting = true;
  const test = useService({ ...withKeys(OLD), RUN_WORKERS: 'false' });
  const admin = new Admin(test, withKeys(OLD));
  before(() => {
    backup = join(test.folder, 'backup');
    const folder = join(test.folder, 'elsewhere');
    elsewhere = { ...withKeys(OLD), DATA_DIR: folder, DATABASE_URL: `sqlite:${join(folder, 'service.db')}` };
  });

  const write = async (writer: number) => {
    for (let index = 0; isWriting; index++) {
      const tenants = [{ email: `w${writer}-${index}@mail.example`, is_lead: true }];
      const { data } = await test.alice.ok('createApplication', { body: { title: 'Written', tenants } });
      acknowledged.push(data.application_id ?? '');
    }
  };
  const quietly = <Result>(_: string, __: number, work: (tick: () => void) => Promise<Result>) => work(() => {});
  const check = (from: string, env = elsewhere) => checkBackup(readConfig(env), from, quietly);
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'it was not refused',
      ({ message }: Error) => message,
    );
  /** A tampered copy of the backup. */
  const changed = async (name: string, change: (folder: string) => Promise<unknown>) => {
    const folder = join(test.folder, name);
    await cp(backup, folder, { recursive: true });
    await change(folder);
    return folder;
  };
  const manifestOf = async (folder: string): Promise<Manifest> =>
    JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));

  it('is consistent beside a running service, and contains everything acknowledged before it', async () => {
    await test.tenant('documents@mail.example', { documents: 3 });
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
    await until('much was written', () => acknowledged.length >= FIRST_WRITES);
    const before = acknowledged.length;
    const made = await admin.json<Record<string, unknown>>('db', 'backup', '--to', backup);
    const during = acknowledged.length;
    isWriting = false;
    await Promise.all(writers);
    expect(during, 'the service went on').to.be.above(before);
    expect(made).to.include({ folder: backup, documents: 3, missing_documents: 0 });
    const { rows, files } = await manifestOf(backup);
    expect(rows['applications']).to.be.within(before, during + WRITERS);
    expect(files).to.have.length(4);
    expect((await stat(join(backup, 'service.db'))).mode & 0o077, 'for us alone').to.equal(0);
    acknowledged.length = before;
  });

  it('restores on another machine, where a service serves every row and document', async () => {
    const restored = await admin.run(['db', 'restore', '--from', backup, '--yes', '--json'], elsewhere);
    expect(restored).to.include({ code: 0, stderr: '' });
    expect(JSON.parse(restored.stdout)).to.deep.include({ pending: [], unknown: [], kept_as: null });
    const there = await startTestService({ ...elsewhere, RUN_WORKERS: 'false' });
    try {
      const alice = new Client(there.service.url, test.alice.clientId, test.alice.clientSecret);
      await alice.authenticate();
      for (const applicationId of acknowledged) await alice.ok('getApplication', { params: { applicationId } });
      const { db, providers } = there.service.runtime;
      const digests = await db('documents').pluck('sha256');
      for (const sha256 of digests)
        expect((await buffer(providers.documents.get(sha256))).subarray(0, 4).toString()).to.equal('%PDF');
      expect(digests).to.have.length(3);
      const last = await db('audit_entries').orderBy('sequence', 'desc').first();
      expect(last).to.include({ action: 'database.restore', resource_id: (await manifestOf(backup)).id });
    } finally {
      await there.stop();
    }
  });

  it('refuses a folder that is not empty', async () => {
    expect(await admin.refused(1, ['db', 'backup', '--to', backup])).to.include('is not empty');
  });

  it('refuses to replace a database that is open, or without confirmation; afterwards it keeps the old one', async () => {
    const args = ['db', 'restore', '--from', backup];
    expect(await admin.refused(2, args)).to.include('add --yes');
    expect(await admin.refused(1, [...args, '--yes'])).to.include('stop the service and its workers first');
    const file = join(elsewhere['DATA_DIR'] ?? '', 'service.db');
    const idle = await open({ dialect: 'sqlite', file });
    const config = readConfig(elsewhere);
    const manifest = await check(backup);
    const restore = () => restoreBackup(config, { from: backup, manifest, file, now: new Date() }, quietly);
    await idle.raw('select 1');
    expect(await refusal(restore()), 'idle').to.include('in use');
    await idle('landlords').insert({ id: 'late', name: 'Written after the backup', created_at: '2026-12-01' });
    await disconnect(idle);
    const aside = await restore();
    const [old, now] = await Promise.all([aside ?? '', file].map((name) => open({ dialect: 'sqlite', file: name })));
    expect(await old?.('landlords').where({ id: 'late' })).to.have.length(1);
    expect(await now?.('landlords').where({ id: 'late' })).to.have.length(0);
    for (const db of [old, now]) if (db) await disconnect(db);
    expect((await readdir(config.dataDir)).filter((name) => name.includes('.part'))).to.deep.equal([]);
  });

  it('replaces an unreadable database', async () => {
    const file = join(elsewhere['DATA_DIR'] ?? '', 'service.db');
    await writeFile(file, 'no database at all, but a text that is long enough for a header of one '.repeat(20));
    const manifest = await check(backup);
    await restoreBackup(readConfig(elsewhere), { from: backup, manifest, file, now: new Date() }, quietly);
    const db = await open({ dialect: 'sqlite', file });
    expect(await db('applications').whereIn('id', acknowledged.slice(0, 50))).to.have.length(50);
    await disconnect(db);
  });

  it('refuses a backup with changed or missing parts before it touches anything', async () => {
    const document = `documents/${(await readdir(join(backup, 'documents')))[0]}`;
    const flip = (path: string) => async (folder: string) => {
      const bytes = await readFile(join(folder, path));
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
      await writeFile(join(folder, path), bytes);
    };
    const rewrite = (change: (manifest: Manifest) => void) => async (folder: string) => {
      const manifest = await manifestOf(folder);
      change(manifest);
      await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    };
    const cases: [string, string, (folder: string) => Promise<unknown>][] = [
      ['database', 'service.db in the backup was changed', flip('service.db')],
      ['document', `${document} in the backup was changed`, flip(document)],
      ['lost', `${document} in the backup is missing`, (folder) => rm(join(folder, document))],
      ['unfinished', 'no backup that was finished', (folder) => rm(join(folder, 'manifest.json'))],
      ['cut', 'manifest.json was changed', (folder) => writeFile(join(folder, 'manifest.json'), '{"format": 1')],
      [
        'leading out',
        'manifest.json was changed',
        rewrite(({ files }) => files.push({ path: 'documents/../../keys', size_bytes: 1, sha256: '0'.repeat(64) })),
      ],
      ['without a database', 'manifest.json was changed', rewrite((manifest) => manifest.files.splice(0, 1))],
    ];
    for (const [name, reason, change] of cases)
      expect(await refusal(check(await changed(name, change))), name).to.include(reason);
    expect(await admin.refused(1, ['db', 'restore', '--from', join(test.folder, 'lost'), '--yes'])).to.include(
      'is missing; nothing was restored',
    );
  });

  it('refuses a different encryption key, whatever the manifest says, and a newer schema', async () => {
    const strange = { ...elsewhere, ...withKeys(STRANGE) };
    const { encryption_key } = await manifestOf(backup);
    expect(await refusal(check(backup, strange))).to.include(`the fingerprint ${encryption_key}`);
    const file = join(elsewhere['DATA_DIR'] ?? '', 'service.db');
    const held = async () => {
      const db = await open({ dialect: 'sqlite', file });
      const rows = [await db('applications').orderBy('id'), await db('audit_entries').orderBy('sequence')];
      await disconnect(db);
      return rows;
    };
    const before = await held();
    const manifest = await check(backup);
    const place = { from: backup, manifest, file, now: new Date() };
    expect(await refusal(restoreBackup(readConfig(strange), place, quietly))).to.include('the fingerprint');
    const newer = await changed('newer', async (folder) => {
      const db = await open({ dialect: 'sqlite', file: join(folder, 'service.db') });
      await db('knex_migrations').insert({ name: '9999-newer', batch: 9, migration_time: new Date() });
      await disconnect(db);
    });
    expect(await refusal(restoreBackup(readConfig(elsewhere), { ...place, from: newer }, quietly))).to.include(
      '9999-newer',
    );
    expect(await held(), 'the database that is there').to.deep.equal(before);
  });

  it('keeps an older schema as it is, and updates it when it is restored', async () => {
    const folder = join(test.folder, 'old');
    await cp(join(test.folder, 'documents'), join(folder, 'documents'), { recursive: true });
    const env = { ...withKeys(OLD), DATA_DIR: folder, DATABASE_URL: `sqlite:${join(folder, 'service.db')}` };
    const db = knex({
      client: 'better-sqlite3',
      connection: { filename: join(folder, 'service.db') },
      useNullAsDefault: true,
    });
    const getMigrations = async () => (await migrations.getMigrations([])).filter(({ name }) => name < '0015');
    await db.migrate.latest({ migrationSource: { ...migrations, getMigrations } });
    const to = join(folder, 'backup');
    const made = await admin.run(['db', 'backup', '--to', to, '--json'], env);
    expect(JSON.parse(made.stdout).schema_version).to.match(/^0014/);
    expect(await db.schema.hasTable('audit_entries')).to.equal(false);
    await disconnect(db);
    const restored = await admin.run(['db', 'restore', '--from', to, '--yes', '--json'], env);
    expect(JSON.parse(restored.stdout).pending).to.deep.equal([]);
  });

  it('restores to the target of a symbolic link and keeps the link', async () => {
    const volume = join(test.folder, 'volume');
    const folder = join(test.folder, 'linked');
    await Promise.all([mkdir(volume), mkdir(folder)]);
    await cp(join(backup, 'service.db'), join(volume, 'real.db'));
    const file = join(folder, 'service.db');
    await symlink(join(volume, 'real.db'), file);
    const config = readConfig({ ...elsewhere, DATA_DIR: folder, DATABASE_URL: `sqlite:${file}` });
    const manifest = await check(backup);
    const aside = await restoreBackup(config, { from: backup, manifest, file, now: new Date() }, quietly);
    expect((await lstat(file)).isSymbolicLink()).to.equal(true);
    expect(aside).to.match(/volume\/real\.db\.before-/);
    expect((await lstat(aside ?? '')).isFile()).to.equal(true);
  });

  it('contains a document that was moved aside while the others were copied', async () => {
    const config = readConfig(admin.env);
    const file = join(test.folder, 'service.db');
    const [first] = (await manifestOf(backup)).files.filter(({ path }) => path.startsWith('documents/'));
    const sha256 = basename(first?.path ?? '');
    const place = documentFile(join(test.folder, 'documents'), sha256);
    const aside = join(test.folder, 'aside');
    await rename(place, aside);
    const putBack = <Result>(title: string, total: number, work: (tick: (done: number) => void) => Promise<Result>) =>
      work((done) => {
        if (title === 'Copying the documents' && done === total) renameSync(aside, place);
      });
    const to = join(test.folder, 'with-all');
    const { missing_documents, files } = await backUp(config, { file, to, now: new Date() }, putBack);
    expect(missing_documents).to.equal(0);
    expect(files.map(({ path }) => basename(path))).to.include(sha256);
  });

  it('reports a complete backup when only the audit log cannot be written', async () => {
    const other = new Sqlite(join(test.folder, 'service.db'));
    const to = join(test.folder, 'unnoted');
    other.exec('begin immediate');
    try {
      expect(await admin.refused(1, ['db', 'backup', '--to', to])).to.match(
        /^Error: the backup in .*unnoted is whole, but could not be recorded in the audit log: the SQLite file was in use/,
      );
    } finally {
      other.close();
    }
    expect((await check(to)).files).to.not.be.empty;
  });

  it('counts as incomplete when it was killed', async () => {
    const { db } = test.service.runtime;
    const model = await db('documents').first();
    if (!model) throw new Error('There is no document.');
    // The read of this document never ends, because nothing writes to the pipe.
    const sha256 = 'f'.repeat(64);
    await db('documents').insert({ ...model, id: 'endless', sha256 });
    const place = join(test.folder, 'documents', 'ff');
    execFileSync('mkdir', ['-p', place]);
    execFileSync('mkfifo', [join(place, sha256)]);
    const to = join(test.folder, 'killed');
    const child = spawnProgram('../../bin/admin.ts', admin.env, ['db', 'backup', '--to', to]);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await until(
      'documents are being copied',
      async () => (await readdir(join(to, 'documents')).catch(() => [])).length === 3,
    );
    child.kill('SIGKILL');
    await ended;
    expect(await readdir(to)).to.have.members(['service.db', 'documents']);
    expect(await refusal(check(to))).to.include('no backup that was finished');
  });
});
