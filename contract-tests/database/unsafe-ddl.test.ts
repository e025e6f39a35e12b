import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { isOlder, VERSION } from '../../core/version.ts';
import { disconnect, open } from '../../db/connection/connect.ts';
import { migrate } from '../../db/connection/migrate.ts';
import { allMigrations } from '../../db/migrations/index.ts';
import released from '../../db/released.json' with { type: 'json' };
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { columnsOfTables } from '../../harness/database/schema.ts';
import { unsafeStatements } from '../../harness/database/unsafe-ddl.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';

databases('both');

/** Before this migration, the service was stopped for an upgrade. */
const LAST_WITH_A_STOP = '0026';

describe('the schema beside the previous version', () => {
  const folder = suiteFixture(temporaryFolder);
  const later = allMigrations.filter(({ name }) => name > `${LAST_WITH_A_STOP}~`);

  it('supports the released version: no migration declares a newer one', () => {
    for (const { name, oldestVersion } of later) {
      expect(isOlder(released.version, oldestVersion), name).to.equal(false);
      expect(isOlder(VERSION, oldestVersion), name).to.equal(false);
    }
    expect(isOlder(released.version, VERSION), 'released before this one').to.equal(true);
  });

  it('contains no statement that blocks requests for long or removes what the previous version uses', async () => {
    const { database } = readConfig({ DATA_DIR: folder.path, DATABASE_URL: await freshDatabase(folder.path) });
    const db = await open(database);
    await migrate(db, { migrations: allMigrations.filter(({ name }) => !later.some((one) => one.name === name)) });
    let statements: string[] = [];
    db.on('query', ({ sql }: { sql: string }) => statements.push(sql));
    let seen = 0;
    for (const migration of later) {
      statements = [];
      await db.transaction((trx) => migration.up(trx));
      seen += statements.length;
      expect(unsafeStatements(statements, migration.removes), migration.name).to.deep.equal([]);
    }
    expect(seen, 'statements').to.be.above(later.length);
    const columns = await columnsOfTables(db);
    await disconnect(db);
    for (const [table, names] of Object.entries(released.columns)) {
      const now = columns.filter((column) => column.table === table);
      expect(
        now.map(({ column }) => column),
        table,
      ).to.include.members(names);
      const unfilled = now.filter(({ column, isRequired }) => isRequired && !names.includes(column));
      expect(unfilled, `columns of ${table} that ${released.version} does not fill`).to.deep.equal([]);
    }
  });

  const refused = [
    'create index a on landlords (name)',
    'create unique index "a" on "landlords" ("name")',
    'alter table landlords add column a text not null',
    'alter table "landlords" add column "a" text references tenants (id)',
    "alter table landlords add constraint a check (name <> '')",
    'alter table landlords alter column name type varchar(9)',
    'alter table landlords alter column name set not null',
    'alter table landlords add column a text default gen_random_uuid()',
    'alter table landlords drop column name',
    'alter table landlords rename column name to title',
    'drop table landlords',
    'drop index a',
    "update landlords set name = ''",
    'delete from landlords',
    'insert into landlords select * from tenants',
    'lock table landlords',
    'truncate landlords',
    'reindex table landlords',
  ];
  for (const statement of refused)
    it(`refuses in a migration: ${statement}`, () => {
      expect(unsafeStatements([statement])).to.have.length(1);
    });

  it('accepts brief locks, anything on tables of the same migration, and a declared removal', () => {
    const safe = [
      'alter table landlords add column a text',
      "alter table landlords add column b text not null default ''",
      "alter table landlords add constraint c check (name <> '') not valid",
      'alter table landlords set (autovacuum_vacuum_scale_factor = 0.01)',
      'create table "later" ("id" text)',
      'create index later_by_id on later (id)',
      'insert into later select id from landlords',
      'alter table tenants set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500)',
    ];
    expect(unsafeStatements(safe)).to.deep.equal([]);
    expect(unsafeStatements(['drop table landlords'], true)).to.deep.equal([]);
    expect(unsafeStatements(['alter table landlords add a text', 'alter table tenants add a text'])).to.have.length(1);
  });
});
