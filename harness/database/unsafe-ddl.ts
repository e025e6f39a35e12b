/**
 * The effect of a migration's statement on the running service. `existing` matches statements about tables that the migration did not
 * create.
 */
const UNSAFE: { existing: RegExp; unless?: RegExp; because: string; isRemoval?: boolean }[] = [
  {
    existing: /^create (?:unique )?index (?:if not exists )?"?\w+"? on (?:only )?"?(?<table>\w+)"?/,
    because: 'builds an index while writes wait: make it a background migration',
  },
  {
    existing: /^alter table (?:only )?"?(?<table>\w+)"? .*\badd (?:column )?(?:if not exists )?"?\w+"? .*\bnot null\b/,
    unless: /\bdefault\b/,
    because: 'adds a required column without a default, which the version before does not fill',
  },
  {
    existing: /^alter table (?:only )?"?(?<table>\w+)"? .*\bdefault (?:.*random|clock_timestamp|now|nextval)/,
    because: 'rewrites the table for a default that differs by row',
  },
  {
    existing:
      /^alter table (?:only )?"?(?<table>\w+)"? .*\b(?:references|add (?:constraint \S+ )?(?:foreign key|check|unique|primary key|exclude))\b/,
    unless: /\bnot valid\b/,
    because: 'reads the whole table for a constraint: add it as NOT VALID, and validate it later',
  },
  {
    existing:
      /^alter table (?:only )?"?(?<table>\w+)"? .*\balter (?:column )?"?\w+"? (?:type|set data type|set not null)\b/,
    because: 'rewrites or reads the whole table',
  },
  {
    existing: /^(?:update|delete from|insert into) (?:only )?"?(?<table>\w+)"?/,
    because: 'changes an unknown number of rows in one transaction: make it a background migration',
  },
  {
    existing: /^(?:truncate|lock|cluster|vacuum full|reindex)\b(?: table)? ?"?(?<table>\w*)"?/,
    because: 'locks the whole table',
  },
  {
    existing:
      /^(?:alter table (?:only )?"?(?<table>\w+)"? .*\b(?:drop|rename)\b|drop (?:table|index|view|trigger|function)\b|alter \w+ \S+ rename)/,
    because: 'removes or renames what the version before uses: do it a release after the last one that does',
    isRemoval: true,
  },
];
/** Takes a lock that blocks neither reads nor writes. */
const HARMLESS = /^alter table "?\w+"? set \((?:autovacuum_\w+ = [\d.]+(?:, )?)+\)$/;
const MADE = /^create table (?:if not exists )?"?(\w+)"?/;
/** Knex's own tables, and ours. */
const BOOKS = /^(?:knex_migrations|knex_migrations_lock|migration_compatibility|background_migrations)$/;

/**
 * Why statements of a migration, on Postgres, must not run beside the service.
 * @param maySafelyRemove the migration declares that versions using the removed parts are not supported
 */
export function unsafeStatements(statements: readonly string[], maySafelyRemove = false): string[] {
  const made = new Set<string>();
  const touched = new Set<string>();
  const faults: string[] = [];
  const texts = statements.map((statement) => statement.trim().replace(/\s+/g, ' ').replaceAll('`', '"').toLowerCase());
  for (const [place, statement] of statements.entries()) {
    const text = texts[place] ?? '';
    if (isReplacedTrigger(text, texts.slice(place + 1))) continue;
    const table = MADE.exec(text)?.[1];
    if (table !== undefined) made.add(table);
    const altered = HARMLESS.test(text) ? undefined : /^alter table (?:only )?"?(\w+)"?/.exec(text)?.[1];
    if (altered !== undefined && !made.has(altered)) touched.add(altered);
    for (const { existing, unless, because, isRemoval } of UNSAFE) {
      const found = existing.exec(text);
      const of = found?.groups?.['table'];
      if (!found || unless?.test(text) || (of !== undefined && (made.has(of) || BOOKS.test(of)))) continue;
      if (!(isRemoval && maySafelyRemove)) faults.push(`"${statement.trim()}" ${because}.`);
    }
  }
  if (touched.size > 1)
    faults.push(
      `It alters ${[...touched].join(' and ')}: requests wait for each in turn; give each a separate migration.`,
    );
  return faults;
}

/** A trigger of SQLite, which has no `create or replace`, and no requests beside the statements of one transaction. */
function isReplacedTrigger(text: string, following: readonly string[]): boolean {
  const name = /^drop trigger "?(\w+)"?$/.exec(text)?.[1];
  return name !== undefined && following.some((one) => one.startsWith(`create trigger ${name} `));
}
