import Sqlite from 'better-sqlite3';
import { type Fault, growsFor, Sender, type Watch } from './watch.ts';

/** How many rows one step of a plan may find on average: many times what belongs to one resource, a fraction of any table. */
const MAX_ROWS = 300;

/** Statements with a plan, except those about tables rather than rows, which we send ourselves. */
const PLANNED = /^\s*(with|select|insert|update|delete|replace|values)\b(?!.* from sqlite_)/i;
const WAYS = ['run', 'get', 'all', 'iterate'] as const;

interface Seen {
  by: string;
  text: string;
  values: unknown[];
}

/**
 * SQLite describes its plans in words. The service keeps no statistics, but an operator may: a statement must perform well with and without
 * them.
 */
export function watchSqlite(file: string): Watch {
  const sender = new Sender();
  const seen = new Map<string, Seen>();
  const statements: Record<(typeof WAYS)[number], (...values: unknown[]) => unknown> = Object.getPrototypeOf(
    new Sqlite(':memory:').prepare('select 1'),
  );
  const originals = WAYS.map((way) => [way, statements[way]] as const);
  for (const [way, original] of originals)
    statements[way] = function (this: Sqlite.Statement, ...values: unknown[]) {
      if (this.database.name === file && PLANNED.test(this.source)) {
        const [by, text] = [sender.current, this.source];
        sender.note(by);
        seen.set(`${by}: ${text}`, { by, text, values });
      }
      return original.apply(this, values);
    };
  const end = () => {
    for (const [way, original] of originals) statements[way] = original;
  };
  return {
    during: (by, work) => sender.during(by, work),
    sentBy: (by) => sender.sentBy(by),
    faults: async (by) =>
      explained(
        file,
        [...seen.values()].filter((statement) => by === undefined || statement.by === by),
      ),
    end,
  };
}

function explained(file: string, seen: readonly Seen[]): Fault[] {
  const withDatabase = <Result>(work: (database: Sqlite.Database) => Result): Result => {
    const database = new Sqlite(file);
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  if (seen.length === 0) return [];
  // A connection reads the statistics when it opens.
  withDatabase((database) => database.exec('drop table if exists sqlite_stat1; drop table if exists sqlite_stat4'));
  const without = withDatabase((database) => plansOf(database, seen));
  withDatabase((database) => analyse(database, seen));
  return withDatabase((database) => {
    const facts = readFacts(database);
    return [...without, ...plansOf(database, seen)].flatMap((plan) => faultsOf(plan, facts));
  });
}

/** Only the tables that the statements name: other tables play no part in their plans, and large ones take a while. */
function analyse(database: Sqlite.Database, seen: readonly Seen[]): void {
  // Makes the table of statistics, even if no statement names a table.
  database.exec('analyze sqlite_schema');
  for (const name of tablesOf(database))
    if (seen.some(({ text }) => text.includes(name))) database.exec(`analyze "${name}"`);
}

function tablesOf(database: Sqlite.Database): string[] {
  return database.prepare<[], string>(`select name from sqlite_master where type = 'table'`).pluck().all();
}

interface Plan {
  by: string;
  text: string;
  steps: string[];
}

function plansOf(database: Sqlite.Database, seen: readonly Seen[]): Plan[] {
  return seen.map(({ by, text, values }) => {
    const rows = database.prepare<unknown[], { detail: string }>(`explain query plan ${text}`).all(...values);
    return { by, text, steps: rows.map(({ detail }) => detail) };
  });
}

interface Facts {
  tables: Set<string>;
  /** The average number of rows with equal values in the first column of an index, the first two, and so on. */
  alike: Map<string, number[]>;
}

function readFacts(database: Sqlite.Database): Facts {
  const statistics = database
    .prepare<[], { idx: string | null; stat: string }>('select idx, stat from sqlite_stat1')
    .all();
  return {
    tables: new Set(tablesOf(database)),
    alike: new Map(statistics.map(({ idx, stat }) => [idx ?? '', stat.split(' ').slice(1).map(Number)])),
  };
}

function faultsOf({ by, text, steps }: Plan, facts: Facts): Fault[] {
  // Filters on the empty set, which SQLite evaluates before it reads anything.
  if (/ where 1 = \?( |$)/.test(text)) return [];
  const reasons = steps.flatMap((step) => reasonAgainst(step, text, facts) ?? []);
  const isSorted = steps.some((step) => step.startsWith('USE TEMP B-TREE FOR ORDER BY'));
  if (isSorted && /\blimit\b/i.test(text) && steps.some(isRange)) reasons.push('sorts a whole range for a few');
  const plan = steps.join('\n');
  return reasons.map((why) => ({ by, text, why, plan }));
}

function reasonAgainst(step: string, text: string, { tables, alike }: Facts): string | undefined {
  if (step.includes('AUTOMATIC')) return 'makes an index for itself';
  const [, way, name = ''] = /^(SCAN|SEARCH) (\w+)/.exec(step) ?? [];
  const table = tables.has(name) ? name : tableOf(name, text, tables);
  if (!table || !tables.has(table) || !growsFor(table)) return undefined;
  if (way === 'SCAN') return `reads all of ${table}`;
  const [, index = '', terms = ''] = /INDEX (\w+) \((.*)\)(?: LEFT-JOIN)?$/.exec(step) ?? [];
  const equal = terms.split(' AND ').filter((term) => term.endsWith('=?')).length;
  const found = equal === 0 || isRange(step) ? 0 : (alike.get(index)?.[equal - 1] ?? 0);
  return found > MAX_ROWS ? `finds ${found} rows of ${table} on average` : undefined;
}

/** What a name stands for in a statement. `as` may be omitted, and the name may also follow other words. */
function tableOf(name: string, text: string, tables: ReadonlySet<string>): string | undefined {
  const before = text.matchAll(new RegExp(`(\\w+)[\`"]?\\s+(?:as\\s+)?[\`"]?${name}\\b`, 'gi'));
  return [...before].map(([, word = '']) => word).find((word) => tables.has(word));
}

function isRange(step: string): boolean {
  return /[<>]\?/.test(step);
}
