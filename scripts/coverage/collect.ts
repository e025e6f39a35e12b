/** Imported first by every process of a run, see `coverage.ts`: writes at its end which functions it called. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const folder = process.env['COVERAGE_FOLDER'];
const ROOT = new URL('../../', import.meta.url).href;
const ROOMS = /^(db|queue)\//;

if (folder !== undefined && isMainThread) {
  mkdirSync(folder, { recursive: true });
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  process.on('exit', () =>
    session.post('Profiler.takePreciseCoverage', (_, taken) => {
      writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(calledIn(taken?.result ?? [])));
    }),
  );
}

function calledIn(scripts: Profiler.ScriptCoverage[]): string[] {
  return scripts.flatMap(({ url, functions }) => {
    const file = url.startsWith(ROOT) ? url.slice(ROOT.length).replace(/\?.*/, '') : '';
    if (!ROOMS.test(file)) return [];
    return functions
      .filter(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName }) => `${file} ${functionName}`);
  });
}
