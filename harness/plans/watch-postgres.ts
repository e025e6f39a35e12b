import pg from 'pg';
import { type Fault, growsFor, Sender, type Watch } from './watch.ts';

/** How many rows one step may read, and how many pages a statement, besides those of the rows that it changes or returns. */
const MAX_ROWS = 600;
const MAX_PAGES = 300;
const PAGES_A_ROW = 50;
/** The rows of the current partition, which only the tests themselves make: about a hundred. */
const MAX_SMALL_TABLE_ROWS = 200;
/** The suffix of a partition's name after that of its table. */
const PARTITION = /_(before|between|later|from_\d{8})$/;

/** A plan node of `explain (analyze, buffers, format json)`, with actual figures. */
interface Step {
  'Node Type': string;
  'Parent Relationship'?: string;
  /** A filter that, when false, skips the nodes below. */
  'One-Time Filter'?: string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: Step[];
}

interface Explained {
  by: string;
  text: string;
  root: Step;
}

/** Makes Postgres report the plan of each statement, including its own foreign-key checks. */
const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  // To the client rather than to a file.
  'auto_explain.log_level': 'notice',
};

export interface PostgresStatement {
  by: string;
  text: string;
  /** Rows examined. */
  pages: number;
  /** Rows examined before changes: a change also descends each index. */
  found: number;
  /** Rows examined by the costliest step. */
  rows: number;
}

export interface WatchPostgres extends Watch {
  /** The plans seen so far. */
  statements(): PostgresStatement[];
}

/** The executed plans of statements, with their values. */
export async function watchPostgres(url: string): Promise<WatchPostgres> {
  await setUp(url);
  const name = databaseOf(url);
  const sender = new Sender();
  const explained: Explained[] = [];
  const watched = new WeakSet<pg.Client>();
  const client: { query: (this: pg.Client, ...input: unknown[]) => unknown } = pg.Client.prototype;
  const original = client.query;
  client.query = function (...input) {
    if (this.database === name && !watched.has(this)) {
      watched.add(this);
      // The queue has its own connections, and many of its statements are periodic.
      const isQueue = applicationOf(this) === 'tenant-screening-queue';
      this.on('notice', ({ message = '' }) => take(message, isQueue ? 'the queue' : sender.current));
    }
    return original.apply(this, input);
  };
  const take = (message: string, by: string) => {
    const start = message.indexOf('{');
    if (!message.startsWith('duration:') || start < 0) return;
    const told: { 'Query Text': string; Plan: Step } = JSON.parse(message.slice(start));
    sender.note(by);
    explained.push({ by, text: told['Query Text'], root: told.Plan });
  };
  return {
    during: (by, work) => sender.during(by, work),
    sentBy: (by) => sender.sentBy(by),
    faults: async (by) => explained.filter((statement) => by === undefined || statement.by === by).flatMap(faultsOf),
    statements: () =>
      explained.map(({ by, text, root }) => ({
        by,
        text,
        pages: pagesOf(root),
        found: pagesToFind(root),
        rows: rowsOf(root),
      })),
    end: () => {
      client.query = original;
    },
  };
}

async function setUp(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const [setting, value] of Object.entries(SETTINGS))
    await client.query(`alter database ${databaseOf(url)} set ${setting} = '${value}'`);
  await client.end();
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

function applicationOf(client: pg.Client & { connectionParameters?: { application_name?: string } }): string {
  return client.connectionParameters?.application_name ?? '';
}

function faultsOf({ by, text, root }: Explained): Fault[] {
  // A change descends each index, and on a new connection reads the catalogue too: hundreds of pages, whatever the tables hold.
  const pages = pagesToFind(root);
  const most = MAX_PAGES + PAGES_A_ROW * (root['Actual Rows'] + changedRows(root));
  const reasons = [...stepsOf(root).flatMap(reasonAgainst), ...(pages > most ? [`looks at ${pages} pages`] : [])];
  const plan = describe(root);
  return reasons.map((why) => ({ by, text, why, plan }));
}

function pagesOf(root: Step): number {
  return (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0);
}

function pagesToFind(root: Step): number {
  const changes = stepsOf(root).filter((step) => step['Node Type'] === 'ModifyTable');
  return changes.reduce((pages, step) => pages - pagesOf(step) + pagesOfRows(step), pagesOf(root));
}

/** The pages of the rows that a step changes. Those of a CTE count where it is scanned. */
function pagesOfRows({ Plans = [] }: Step): number {
  const rows = Plans.filter((step) => step['Parent Relationship'] === 'Outer');
  return rows.reduce((sum, step) => sum + pagesOf(step), 0);
}

function rowsOf(root: Step): number {
  const removed = (step: Step) => (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Join Filter'] ?? 0);
  return Math.max(...stepsOf(root).map((step) => (step['Actual Rows'] + removed(step)) * step['Actual Loops']));
}

function changedRows(root: Step): number {
  const changes = stepsOf(root).filter((step) => step['Node Type'] === 'ModifyTable');
  const rows = changes.flatMap(({ Plans = [] }) => Plans).map((step) => step['Actual Rows'] * step['Actual Loops']);
  return rows.reduce((sum, count) => sum + count, 0);
}

function reasonAgainst(step: Step): string[] {
  const table = step['Relation Name']?.replace(PARTITION, '');
  if (!table || !growsFor(table)) return [];
  const perLoop =
    step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Index Recheck'] ?? 0);
  const read = perLoop * step['Actual Loops'];
  // A future partition has a page or two. A statement that reads a large one completely also does so for the partitions of existing rows.
  const isSmall = table !== step['Relation Name'] && perLoop <= MAX_SMALL_TABLE_ROWS;
  if (step['Node Type'] === 'Seq Scan') return isSmall ? [] : [`reads all of ${table}`];
  return read > MAX_ROWS ? [`reads ${read} rows of ${table}`] : [];
}

function stepsOf(step: Step): Step[] {
  if (step['One-Time Filter'] !== undefined && step['Actual Rows'] === 0) return [];
  return [step, ...(step.Plans ?? []).flatMap(stepsOf)];
}

function describe(step: Step, depth = 0): string {
  const { 'Relation Name': table, 'Index Name': index, 'Index Cond': condition, Filter: filter } = step;
  const words = [
    step['Node Type'],
    ...(table ? [`on ${table}`] : []),
    ...(index ? [`by ${index}`] : []),
    ...(condition ? [`where ${condition}`] : []),
    ...(filter ? [`filtering ${filter}`] : []),
    `(${step['Actual Rows']} rows x ${step['Actual Loops']})`,
  ];
  const below = (step.Plans ?? []).map((inner) => describe(inner, depth + 1));
  return [`${'  '.repeat(depth)}${words.join(' ')}`, ...below].join('\n');
}
