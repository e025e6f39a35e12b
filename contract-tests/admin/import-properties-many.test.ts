import { type ChildProcess, execFileSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { disconnect, open } from '../../db/connection/connect.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { spawnProgram } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin, misunderstood } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';

databases('both', 'nightly');

interface Imported {
  added: number;
  changed: number;
  unchanged: number;
  skipped: number;
  workspaces_added: number;
  workspaces_changed: number;
  applied: boolean;
  bad_lines: { line: number; reason: string }[];
}

interface Listed {
  property_id: string;
  property_reference: string | null;
  workspace_id: string;
  workspace_name: string;
}

describe('the command line’s import of many properties', () => {
  const test = useService();
  const admin = new Admin(test);

  const args = (file: string, ...options: string[]) => {
    const { ours } = test.landlords;
    return ['property', 'import', '--landlord', ours, file, ...options];
  };
  const imported = (file: string, ...options: string[]) => admin.json<Imported>(...args(file, ...options));
  const file = (rows: string[], name: string) => admin.file(`${rows.join('\n')}\n`, name);
  const rows = async () => {
    const { db } = test.service.runtime;
    return [await db('workspaces').select('*').orderBy('id'), await db('properties').select('*').orderBy('id')];
  };
  const audited = async () => {
    const where = { action: 'property.import', resource_id: test.landlords.ours };
    return (await test.service.runtime.db('audit_entries').where(where)).length;
  };
  const outcome = (counts: Partial<Imported>) => ({
    ...{ added: 0, changed: 0, unchanged: 0, skipped: 0, workspaces_added: 0, workspaces_changed: 0 },
    ...counts,
  });

  it('imports the guide’s ten thousand while a service writes, without duplicates, with one audit entry', async () => {
    const guide = await readFile('docs/operating/install.md', 'utf8');
    const command = /^node -e '.*' > properties\.csv$/m.exec(guide)?.[0] ?? expect.fail('the guide makes no file');
    execFileSync('sh', ['-c', command], { cwd: test.folder });
    const path = join(test.folder, 'properties.csv');
    let isDone = false;
    let writes = 0;
    const writing = (async () => {
      for (; !isDone; writes++) {
        const tenants = [{ email: `beside-${writes}@mail.example`, is_lead: true }];
        await test.alice.ok('createApplication', { body: { title: 'Beside', tenants } });
      }
    })();
    const before = await audited();
    const runs = await Promise.all([imported(path), imported(path)]);
    isDone = true;
    await writing;
    expect(writes).to.be.above(0);
    const [first, second] = runs.sort((a, b) => b.added - a.added);
    expect(first).to.include(outcome({ added: 10_000, workspaces_added: 1 }));
    expect(second).to.include(outcome({ unchanged: 10_000 }));
    expect(await audited()).to.equal(before + 1);
    const { db } = test.service.runtime;
    const counted = await db('properties').countDistinct({ ids: 'property_id', references: 'property_reference' });
    expect(counted.map(({ ids, references }) => [Number(ids), Number(references)])).to.deep.equal([[10_000, 10_000]]);
  });

  it('reports each bad line by its line number, and imports nothing or, on request, the good ones', async () => {
    const { db } = test.service.runtime;
    const landlords = { ours: test.landlords.ours, other: test.landlords.other };
    const workspace = async (landlord_id: string, workspace_id: string, workspace_name: string) => {
      const row = { landlord_id, workspace_id, workspace_name, created_at: new Date().toISOString() };
      const [made] = await db('workspaces').insert(row).returning('id');
      return made?.id ?? 0;
    };
    const [id, theirs, twin] = ['1', '2', '3'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
    const known = await workspace(landlords.ours, id ?? '', 'Known');
    const foreign = await workspace(landlords.other, theirs ?? '', 'Theirs');
    await workspace(landlords.ours, twin ?? '', 'Twins');
    await workspace(landlords.ours, '00000000-0000-4000-8000-000000000004', 'Twins');
    const property = (workspace_internal_id: number, property_id: string, property_reference: string) =>
      db('properties').insert({ workspace_internal_id, property_id, property_reference, floor: 1 });
    await property(known, 'known', 'K-1');
    await property(known, 'twin-1', 'K-2');
    await property(known, 'twin-2', 'K-2');
    await property(foreign, 'theirs', 'T-1');
    const path = await file(
      [
        'workspace_id;workspace_name;property_id;property_reference;street;floor',
        `${id};;;K-1;"two`,
        'lines";7',
        `${id};;;K-2;;`,
        `${id};;theirs;;;`,
        `${theirs};;new-1;;;`,
        ';Twins;new-2;;;',
        '00000000-0000-4000-8000-000000000009;;new-3;;;',
        '00000000-0000-4000-8000-000000000008;Made;new-4;R-1;;',
        '00000000-0000-4000-8000-000000000008;Other;new-5;;;',
        `${id};;new-4;;;`,
        `;Made;;R-1;;`,
        `${id};;known;;;`,
        ';Never made;new-6;;;high',
        ';Never made;theirs;;;',
      ],
      'bad.csv',
    );
    const reasons = [
      [4, 'property_id: is required, because 2 match'],
      [5, 'The property belongs to another landlord.'],
      [6, 'The workspace belongs to another landlord.'],
      [7, 'workspace_id: is required, because 2 match'],
      [8, 'workspace_name: is required, because no workspace has this workspace_id'],
      [10, 'workspace_name: is another than that of line 9'],
      [11, 'property_id: repeats line 9'],
      [12, 'property_reference: repeats line 9'],
      [13, 'means the same property as line 2'],
      [14, 'floor: must be a whole number'],
      [15, 'The property belongs to another landlord.'],
    ].map(([line, reason]) => ({ line, reason }));
    const before = await rows();
    const beforeAudit = await audited();
    const badLines = join(test.folder, 'bad-lines.csv');
    const refused = await admin.run([...args(path, '--json', '--bad-lines', badLines)]);
    expect(refused).to.include({ code: 1, stderr: '' });
    const counts = outcome({ added: 1, changed: 1, skipped: 11, workspaces_added: 1 });
    expect(JSON.parse(refused.stdout)).to.deep.include({ ...counts, applied: false, bad_lines: reasons });
    const written = reasons.map(({ line, reason }) => `${line},"${reason}"\n`).join('');
    expect(await readFile(badLines, 'utf8')).to.equal(`line,reason\n${written}`);
    expect(await imported(path, '--skip-bad', '--dry-run')).to.deep.include({ ...counts, applied: false });
    expect(await rows()).to.deep.equal(before);
    expect(await audited()).to.equal(beforeAudit);

    expect(await imported(path, '--skip-bad')).to.deep.include({ ...counts, applied: true, bad_lines: reasons });
    expect(await db('properties').where({ property_id: 'known' }).first()).to.include({
      street: 'two\nlines',
      floor: 7,
    });
    expect(await db('workspaces').where({ workspace_name: 'Never made' })).to.deep.equal([]);
    expect(await imported(path, '--skip-bad')).to.include({ added: 0, changed: 0, unchanged: 2, skipped: 11 });
    expect(await audited()).to.equal(beforeAudit + 1);
  });

  it('shows the first of many bad lines, and fails when no line is good', async () => {
    const path = await file(['workspace_name,property_id', ...Array.from({ length: 30 }, () => 'W')], 'no-good.csv');
    for (const options of [[], ['--skip-bad'], ['--dry-run']]) {
      const { code, stdout } = await admin.run(args(path, ...options));
      expect(code).to.equal(1);
      expect(stdout)
        .to.match(
          /^Nothing was imported: 30 of 30 lines are invalid\.\n\nline 2: has 1 cells?, where the header has 2\n/,
        )
        .and.match(/^line 21: .*\nAnd 10 more; --bad-lines <file> writes them all\.$/m);
    }
  });

  it('rejects contradictory options', async () => {
    for (const options of [['surplus'], ['--format', 'xml']]) await misunderstood(...args('x.csv', ...options));
    expect(await admin.refused(2, args('x.txt'))).to.match(/--format csv\|jsonl\|json/);
    expect(await admin.refused(2, args('x.json', '--skip-bad'))).to.match(/whole or not at all/);
    expect(await admin.refused(2, args('x.csv', '--bad-lines', 'x.csv'))).to.match(/give another name/);
  });

  if (dialect === 'sqlite')
    it('limits each batch to what a running service can wait for', async () => {
      const path = await file(
        ['workspace_name,property_id', ...Array.from({ length: 100_001 }, () => 'W')],
        'long.csv',
      );
      expect(await admin.refused(1, args(path))).to.match(/split the file, or stop the service and add --alone/);
      const alone = await admin.run(args(path, '--alone', '--json'));
      expect(JSON.parse(alone.stdout), alone.stderr).to.include({ applied: false, skipped: 100_001 });
    });

  it('reads JSON Lines from standard input, and every number exactly', async () => {
    const numbers = [0.1, 1e21, 5e-324, 1.7976931348623157e308, 1234567.891, -0.3];
    const lines = numbers.map((rent_amount, index) =>
      JSON.stringify({
        workspace_name: 'Numbers',
        property_id: `number-${index}`,
        rent_amount,
        street: 'Calle 🏠 "A"',
      }),
    );
    const { code, stderr } = await admin.run(args('-', '--format', 'jsonl'), {}, process.cwd(), lines.join('\n'));
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    const { db } = test.service.runtime;
    const stored = await db('properties').where('property_id', 'like', 'number-%').orderBy('property_id');
    expect(stored.map(({ rent_amount }) => rent_amount)).to.deep.equal(numbers);
    expect(stored.at(0)?.street).to.equal('Calle 🏠 "A"');
  });

  it('leaves nothing half-imported when it is killed while writing', async () => {
    const { db } = test.service.runtime;
    const held = Array.from({ length: 20_000 }, (_, index) => `Killed,kill-${index},${'Calle '.repeat(20)}`);
    const path = await file(['workspace_name,property_id,street', ...held], 'killed.csv');
    const wal = async () => (await stat(join(test.folder, 'service.db-wal'))).size;
    // Checkpoints first, because SQLite reuses the existing WAL before it grows.
    if (dialect === 'sqlite') await db.raw('pragma wal_checkpoint(truncate)');
    // On Postgres, it waits for the last thing that it writes, its audit entry: otherwise it could end before it is seen.
    // Without the service's time limits, which would end the transaction.
    const other = await open(test.config.database);
    const holding = dialect === 'postgres' ? await other.transaction() : undefined;
    await holding?.raw('lock table audit_entries in share mode');
    // Other databases of the server have tables of the same oid.
    const isHeld = async (): Promise<boolean> =>
      (
        await db.raw(`select 1 from pg_locks held join pg_locks written using (database, pid)
          where database = (select oid from pg_database where datname = current_database())
          and held.relation = 'audit_entries'::regclass and not held.granted
          and written.relation = 'properties'::regclass and written.mode = 'RowExclusiveLock'`)
      ).rows.length > 0;
    const child: ChildProcess = spawnProgram('../../bin/admin.ts', admin.env, args(path));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    try {
      await until('it writes', async () => (holding ? isHeld() : (await wal()) > 500_000));
    } finally {
      child.kill('SIGKILL');
      await ended;
      await holding?.rollback();
      await disconnect(other);
    }
    const count = async () =>
      Number((await db('properties').where('property_id', 'like', 'kill-%').count({ n: '*' }))[0]?.n);
    expect(await count()).to.be.oneOf([0, held.length]);
    expect(await imported(path)).to.include({ skipped: 0 });
    expect(await count()).to.equal(held.length);
  });

  it('lists properties page by page, shows them, and deletes those without an application', async () => {
    const made = ['a', 'b', 'c', 'd', 'e'].map((letter) => `Paged,page-${letter}`);
    await imported(await file(['workspace_name,property_id', ...made], 'paged.csv'));
    const { ours } = test.landlords;
    const [{ workspace_id } = expect.fail()] = await admin.json<Listed[]>('property', 'list', '--landlord', ours);
    const page = async (...options: string[]) =>
      (await admin.json<Listed[]>('property', 'list', '--landlord', ours, '--workspace', workspace_id, ...options)).map(
        ({ property_id }) => property_id,
      );
    expect(await page('--limit', '3')).to.deep.equal(['page-e', 'page-d', 'page-c']);
    expect(await page('--limit', '3', '--after', 'page-c')).to.deep.equal(['page-b', 'page-a']);
    expect(await admin.text('property', 'list', '--landlord', ours, '--limit', '3')).to.match(/--after page-c\n$/);
    await misunderstood('property', 'list', '--landlord', ours, '--limit', '1001');

    const { db } = test.service.runtime;
    const tenants = [{ email: 'about@mail.example', is_lead: true }];
    const { data } = await test.alice.ok('createApplication', { body: { title: 'About', tenants } });
    const about = await db('properties').where({ property_id: 'page-a' }).first('id');
    await db('applications')
      .where({ id: data.application_id })
      .update({ property_internal_id: about?.id ?? null });
    expect(await admin.json('property', 'show', 'page-a')).to.include({ workspace_id, applications: 1, street: null });
    expect(await admin.refused(2, ['property', 'delete', 'page-a'])).to.match(/--yes/);
    expect(await admin.refused(1, ['property', 'delete', 'page-a', '--yes'])).to.match(
      new RegExp(`link-property ${data.application_id} --none`),
    );
    expect(await admin.json('property', 'delete', 'page-b', '--yes')).to.include({ property_id: 'page-b' });
    expect(await db('audit_entries').where({ action: 'property.delete' })).to.have.length(1);
    expect(await page()).to.deep.equal(['page-e', 'page-d', 'page-c', 'page-a']);
    expect(await admin.refused(1, ['property', 'show', 'page-b'])).to.match(/no property has the id "page-b"/);
  });
});
