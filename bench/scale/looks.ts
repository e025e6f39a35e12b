import { consolePages } from '../../harness/plans/console-pages.ts';
import { operatorCommands, runCommand } from '../../harness/plans/operator-commands.ts';
import type { WatchPostgres } from '../../harness/plans/watch-postgres.ts';
import { median, type Result } from '../result.ts';
import { idleLandlord, someoneIn } from './shown.ts';
import type { Stage } from './stage.ts';
import { signIn } from './viewer.ts';
import { watched } from './watched.ts';

const ROUNDS = 5;
const MAX_MS = 200;
const ID = /[0-9a-f]{8}-[0-9a-f-]{27}|\w+_[0-9a-f]{32}/g;

/** Something that an operator looks at. */
interface Look {
  name: string;
  open(): Promise<unknown>;
}

/** Looks of one kind, from a process that is ready for them. */
interface Kind {
  what: string;
  begin(): Promise<{ looks: Look[]; end(): Promise<void> }>;
}

/**
 * Every page of the console and every list of the command line, over the whole history: of a landlord to whom all of it belongs, and
 * of one who has nothing.
 */
export async function measureLooks(stage: Stage): Promise<Result[]> {
  const { env } = stage.history;
  const { someone, other, shown } = await arranged(stage);
  Object.assign(process.env, env);
  const idle = new Set(Object.values({ ...other, tenantId: '' }));
  const shortened = (text: string) => text.replace(ID, (id) => (idle.has(id) ? 'IDLE' : '…'));
  const pages: Kind = {
    what: 'page of the console',
    begin: async () => {
      const { open, close } = await signIn(env);
      const paths = [...new Set([someone, other].flatMap((one) => consolePages(one, shown)))];
      const looks = paths.map((path) => ({ name: shortened(`/console${path}`), open: () => open(path) }));
      return { looks, end: close };
    },
  };
  const commands: Kind = {
    what: 'list of the command line',
    begin: async () => {
      const lines = [someone, other].flatMap((one) => operatorCommands(one, shown.applicationId));
      const different = new Map(lines.map((args) => [args.join(' '), args]));
      const looks = [...different].map(([name, args]) => ({ name: shortened(name), open: () => runCommand(args) }));
      return { looks, end: async () => {} };
    },
  };
  return [await measureKind(stage, pages), await measureKind(stage, commands)];
}

async function arranged({ history }: Stage) {
  const { runtime, close } = await signIn(history.env);
  try {
    const found = await someoneIn(runtime, history.amounts);
    return { ...found, other: await idleLandlord(runtime, found.someone) };
  } finally {
    await close();
  }
}

/** First the times, then, with each plan explained, what was read. */
async function measureKind({ history }: Stage, kind: Kind): Promise<Result> {
  const timed = await eachOf(kind, timesOf);
  const read = await watched(history.database.url, (watch) => eachOf(kind, (look) => readBy(look, watch)));
  const rows = timed.map((times, index) => ({ ...times, ...read[index] })).toSorted((a, b) => b.ms - a.ms);
  const [slowest] = rows;
  return {
    title: `postgres: every ${kind.what} over ${history.amounts.deliveries} deliveries`,
    rows,
    marks: [
      {
        database: 'postgres',
        promise: `the slowest ${kind.what}, ${slowest?.look}`,
        value: slowest?.ms ?? Number.NaN,
        limit: { most: MAX_MS },
        unit: 'ms',
      },
    ],
    note: `Medians of ${ROUNDS} in a process that runs: with the connection of a command, without the start of Node. Rows are those of the costliest step.`,
  };
}

async function eachOf<Found>({ begin }: Kind, measure: (look: Look) => Promise<Found>): Promise<Found[]> {
  const { looks, end } = await begin();
  try {
    const found: Found[] = [];
    for (const look of looks) found.push(await measure(look));
    return found;
  } finally {
    await end();
  }
}

async function timesOf({ name, open }: Look) {
  const times: number[] = [];
  // The first imports what the others have.
  for (let round = 0; round <= ROUNDS; round++) {
    const startedAt = performance.now();
    await open();
    times.push(performance.now() - startedAt);
  }
  const [, ...others] = times.map(Math.round);
  return { look: name, ms: median(others), least_ms: Math.min(...others), most_ms: Math.max(...others) };
}

async function readBy({ name, open }: Look, watch: WatchPostgres) {
  const before = watch.statements().length;
  await watch.during(name, open);
  const seen = watch.statements().slice(before);
  if (seen.length === 0) throw new Error(`Nothing explained what "${name}" sends.`);
  return {
    statements: seen.length,
    buffers: seen.reduce((sum, { pages }) => sum + pages, 0),
    rows: Math.max(...seen.map(({ rows }) => rows)),
  };
}
