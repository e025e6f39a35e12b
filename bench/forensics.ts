/**
 * `npm run bench:forensics`: the forensic engine's findings, time and memory on genuine and tampered documents that no rule was
 * written against, generated from a seed. The engine runs as in the service, each document in its own process. Expectations: packages/forensics-corpus/expectations.ts. Figures: docs/performance.md.
 */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { styleText } from 'node:util';
import { expectations } from '@tenant-screening/forensics-corpus/expectations.ts';
import { samples } from '@tenant-screening/forensics-corpus/samples.ts';
import type { Method, Sample } from '@tenant-screening/forensics-corpus/truth.ts';
import { type Row as Line, list } from '../bin/admin/cli/output.ts';
import { commandLine, misused } from '../harness/process/command-line.ts';
import { type Makers, openMakers } from './forensics/makers.ts';
import { pledgesOf, shares } from './forensics/pledges.ts';
import { type Row, type Service, startService } from './forensics/service.ts';
import { measureSpeed } from './forensics/speed.ts';
import { byFamily, confusion, ruleByRule, surprises } from './forensics/tables.ts';

const BATCH = 42;
const USAGE =
  'npm run bench:forensics -- [--seed N] [--count N] [--methods NAME,NAME] [--producers NAME,NAME] [--json FILE] [--quick]';

const { seed, count, json, quick, methods, producers } = asked();
const makers = await openMakers(producers);
const service = await startService();
try {
  process.exitCode = await measure();
} finally {
  await service.close();
  await makers.close();
}

async function measure(): Promise<number> {
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  console.log(
    styleText('bold', `${count} documents of seed ${seed} on ${machine}, load ${loadavg()[0]?.toFixed(1)} before`),
  );
  console.log(`Made by ${makers.producers.map(({ name }) => name).join(', ')}.`);
  for (const line of makers.missing) console.log(line);
  table(
    'What is expected',
    expectations.map(({ outcomes, ...line }) => ({ ...line, outcomes: outcomes.join(' or ') })),
  );
  const rows = await analysed(service, makers);
  const speed = await measureSpeed(service, seed, quick ? 9 : 30, makers.producers);
  table('What the engine came to', confusion(rows));
  table('Rule by rule', ruleByRule(rows));
  table('By the family of what made the file, with 95 % intervals', byFamily(rows));
  table('Tampered files caught, and what was changed named or shown', shares(rows));
  table('Time, one document after the other', speed.rows);
  const { beforeMib, afterMib, childPeakMib } = speed.memory;
  console.log(
    `Memory: the service ${Math.round(beforeMib)} MiB before and ${Math.round(afterMib)} MiB after; its largest child ${Math.round(childPeakMib)} MiB.\n`,
  );
  table('Not as expected', surprises(rows));
  const pledges = pledgesOf(rows, speed.medians);
  for (const { kept, promise, measured } of pledges)
    console.log(`${kept ? styleText('green', '✔') : styleText('red', '✘')} ${promise}: ${measured}`);
  if (json) await writeFile(json, `${JSON.stringify({ machine, seed, count, pledges, speed, rows }, null, 2)}\n`);
  return pledges.every(({ kept }) => kept) ? 0 : 1;
}

async function analysed(engine: Service, { producers, redistillers }: Makers): Promise<Row[]> {
  const rows: Row[] = [];
  let batch: Sample[] = [];
  const flush = async () => {
    rows.push(...(await engine.analyse(batch, { ocr: true, parallel: availableParallelism() })).rows);
    batch = [];
    process.stderr.write(process.stderr.isTTY ? `\r${rows.length} of ${count}` : `${rows.length} of ${count}\n`);
  };
  for await (const sample of samples(seed, count, { producers, redistillers, ...(methods ? { methods } : {}) })) {
    batch.push(sample);
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  return rows;
}

function table(title: string, lines: readonly Line[]): void {
  console.log(styleText('underline', `\n${title}`));
  const columns = [...new Set(lines.flatMap((line) => Object.keys(line)))];
  console.log(`${list(lines, { columns, empty: 'nothing' }).text}\n`);
}

function asked() {
  const { values } = commandLine(USAGE, {
    options: {
      seed: { type: 'string', default: String(Math.floor(Date.now() / 1000)) },
      count: { type: 'string' },
      methods: { type: 'string' },
      producers: { type: 'string' },
      json: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  });
  const number = (text: string) => (/^\d+$/.test(text) ? Number(text) : misused(USAGE, `${text} is no number.`));
  const known = new Set<string>(expectations.map(({ method }) => method));
  const only = values.methods?.split(',').filter((name): name is Method => known.has(name));
  if (only?.length === 0) misused(USAGE, `Methods are ${[...known].join(', ')}.`);
  const wanted = values.count ?? (values.quick ? '84' : '420');
  return {
    seed: number(values.seed),
    count: number(wanted),
    json: values.json,
    quick: values.quick,
    methods: only,
    producers: values.producers?.split(','),
  };
}
