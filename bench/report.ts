/**
 * `npm run bench:report`: how long a worker takes for one report of fifty pages, from the request to the sealed file: five people with real
 * documents, which were analysed before. Fails below fifty pages and above 20 s.
 */
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { ALL_LANDLORDS } from '../db/connection/queries/scope.ts';
import { commandLine } from '../harness/process/command-line.ts';
import { startTestService } from '../harness/service/service.ts';
import { makeReport } from '../jobs/reports/make-report.ts';
import { fileOf } from '../jobs/reports/opened-reports.ts';
import { requestReport } from '../jobs/reports/reports.ts';
import { applicationOfFiftyPages, MAX_SECONDS, MIN_PAGES } from './fifty-pages.ts';

const { positionals } = commandLine('npm run bench:report [-- FILE.pdf]', { allowPositionals: true });
const [to] = positionals;

const test = await startTestService({ RUN_WORKERS: 'false' });
try {
  const { runtime } = test.service;
  const application = await applicationOfFiftyPages(test);
  const begun = performance.now();
  const by = { scope: ALL_LANDLORDS, actor: { kind: 'operator', id: 'the bench' }, viewer: 'Ana Ruiz' } as const;
  const id = await requestReport(runtime, application, 'de', by);
  await makeReport(runtime, id);
  const seconds = (performance.now() - begun) / 1000;
  const row = await runtime.db('reports').where({ id }).first();
  const file = row && (await fileOf(runtime, row));
  if (!file) throw new Error('The report was not made.');
  if (to) await writeFile(to, file);
  const machine = `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`;
  console.log(`${row?.pages} pages, ${Math.round(file.length / 1024)} KiB, in ${seconds.toFixed(1)} s (${machine}).`);
  if ((row?.pages ?? 0) < MIN_PAGES)
    throw new Error(`The report must have ${MIN_PAGES} pages: adapt bench/fifty-pages.ts.`);
  if (seconds > MAX_SECONDS) throw new Error(`The report must be made in ${MAX_SECONDS} s.`);
} finally {
  await test.stop();
}
