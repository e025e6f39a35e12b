import { createForensicEngine } from '@tenant-screening/forensics/analyse';
import { commandLine } from '../../harness/process/command-line.ts';
import { judgedIncomes, type Verdict, verdicts } from './judged-incomes.ts';

/**
 * Measures how well the income of generated applicants is read from their documents: `npm run incomes -- [seed] [count]`. Prints the sets
 * that were not read rightly, and how many of each kind were. Ends with 1 when a figure is wrong or silent about a document with findings.
 */
const { positionals } = commandLine('npm run incomes [-- SEED [COUNT]]', { allowPositionals: true });
const [seed = 'measured', count = '200'] = positionals;
const engine = createForensicEngine({ ocr: false });
const totals = new Map<string, Record<Verdict, number>>();
const none: Record<Verdict, number> = { right: 0, missing: 0, wrong: 0, silent: 0, undetected: 0 };
for await (const { set, income, outcomes, verdict } of judgedIncomes(engine, seed, [...Array(Number(count)).keys()])) {
  const kind = set.name.split(' ').at(-1) ?? '';
  const total = totals.get(kind) ?? { ...none };
  total[verdict] += 1;
  totals.set(kind, total);
  if (verdict === 'right') continue;
  const figures = `true ${set.expectedCents ?? 'not known'}, read ${income.monthlyCents ?? 'not known'}`;
  const from = income.sources.map((source) => `${source.from} ${source.monthlyCents}`);
  console.log(`${verdict}: ${set.name}: ${figures} (${from.join(', ')}); ${JSON.stringify([...outcomes])}`);
}
await engine.close();
for (const [kind, total] of totals)
  console.log(`${kind}: ${verdicts.map((verdict) => `${total[verdict]} ${verdict}`).join(', ')}`);
const all = (verdict: Verdict) => [...totals.values()].reduce((sum, total) => sum + total[verdict], 0);
console.log(`In all: ${verdicts.map((verdict) => `${all(verdict)} ${verdict}`).join(', ')}.`);
if (all('wrong') + all('silent') > 0) process.exitCode = 1;
