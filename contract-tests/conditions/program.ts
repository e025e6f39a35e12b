/** `npm run conditions`: brings about each condition and shows who names it, after how long, and that all stop when it is over. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parse } from 'yaml';
import { type ConditionId, conditionIds } from '../../core/conditions/table.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { type Sample, samplesOf } from '../../harness/monitoring/metrics.ts';
import { isActive } from '../../harness/monitoring/promql.ts';
import { failedAnswers } from '../../harness/process/failures.ts';
import { PATIENCE, programEnv } from '../../harness/process/process.ts';
import { Admin } from '../../harness/service/admin.ts';
import { startTestService } from '../../harness/service/service.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';
import { type Looker, type Outside, outside } from './outside.ts';
import type { Channel, Situation } from './situation.ts';
import { situations } from './situations.ts';
import { startWorld } from './world.ts';

databases('both');

interface Rules {
  groups: { rules: { alert: string; expr: string; labels: { condition?: string } }[] }[];
}

/** In time: a cached answer of a party outside is at most a minute old, and a machine at its limit takes as long again. */
const IN_TIME_MS = 120_000;
/** To bring it about, and for both waits. */
const MAX_MS = 5 * IN_TIME_MS;
const STEP_MS = 500;
const SCRAPE_MS = 10_000;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CHANNELS: readonly Channel[] = ['doctor', 'console', 'gauge', 'alert'];
const rules: Rules = parse(await readFile(new URL('../../docs/monitoring/alerts.yaml', import.meta.url), 'utf8'));
const expressions = new Map(
  rules.groups.flatMap((group) => group.rules.map(({ labels, expr }) => [labels.condition, expr])),
);
const AMISS = ['problem', 'warning'];

type Looks = Record<Channel, () => Promise<boolean>>;
type Not = Situation['not'];

/** As Prometheus does: without an answer in time, the process is down. */
async function scrape({ service }: Looker): Promise<Sample[]> {
  const up = (value: number) => ({ name: 'up', labels: { job: 'screening' }, value });
  const answer = samplesOf(service.operatorsUrl).then(({ all }) => [up(1), ...all]);
  answer.catch(() => {});
  return Promise.race([answer, wait(SCRAPE_MS, [up(0)])]);
}

/** In a process of its own, because it ends although a silent party keeps a connection open. */
function run(program: string, args: readonly string[], env: Record<string, string>, root = ROOT) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const options = { env: { ...programEnv(), ...env } };
    execFile(process.execPath, [join(root, program), ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });
}

/** @returns what the doctor says of a condition */
async function doctor(id: ConditionId, env: Record<string, string>, root?: string) {
  const { stdout } = await run('bin/admin.ts', ['doctor', '--json'], env, root);
  const answers: { check: string; state: string; found: string }[] = JSON.parse(stdout);
  return answers.find(({ check, state }) => check === id && AMISS.includes(state));
}

/** Whether each channel of a service names the condition. */
function looksAt(
  id: ConditionId,
  test: Looker,
  {
    browser,
    env,
    before,
  }: { browser: OperatorBrowser | undefined; env: Record<string, string>; before: readonly Sample[] },
): Looks {
  const isInGauge = (samples: readonly Sample[]) =>
    samples.some(
      ({ name, labels, value }) =>
        name === 'screening_condition' &&
        labels['condition'] === id &&
        AMISS.includes(labels['state'] ?? '') &&
        value === 1,
    );
  const expression = expressions.get(id) ?? '';
  return {
    doctor: async () => (await doctor(id, env)) !== undefined,
    console: async () => {
      if (!browser) return false;
      const { status, text } = await browser.open('/');
      expect(status, 'the overview').to.equal(200);
      return text.includes(`data-condition="${id}"`);
    },
    gauge: async () => isInGauge(await scrape(test)),
    alert: async () => isActive(expression, { before, now: await scrape(test) }),
  };
}

/** @returns after how many seconds it is so */
async function timed(what: string, look: () => Promise<boolean>): Promise<string> {
  const startedAt = performance.now();
  while (!(await look())) {
    if (performance.now() - startedAt > IN_TIME_MS) throw new Error(`Not in time: ${what}.`);
    await wait(STEP_MS);
  }
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

/** Each channel, side by side. */
async function all(says: string, id: ConditionId, looks: Looks, not: Not = {}, isNamed = true): Promise<string> {
  const channels = CHANNELS.filter((channel) => !not[channel]);
  const named = await Promise.all(
    channels.map(
      async (channel) =>
        `${channel} ${await timed(`${channel} ${says} ${id}`, async () => (await looks[channel]()) === isNamed)}`,
    ),
  );
  return named.join(', ');
}

/** What was seen, for the total. */
const total = { everywhere: 0, somewhere: 0, byRows: 0, refused: 0, absent: 0 };

function tell(
  id: ConditionId,
  named: string,
  cleared: string,
  { not = {}, byRows }: Pick<Situation, 'not' | 'byRows'>,
) {
  total[Object.keys(not).length > 0 ? 'somewhere' : 'everywhere']++;
  if (byRows) total.byRows++;
  const left = [
    ...Object.entries(not).map(([channel, why]) => `${channel}: ${why}`),
    ...(byRows ? [`by rows: ${byRows}`] : []),
  ];
  console.log(`      ${id}: named by ${named}; cleared by ${cleared}${left.length > 0 ? ` (${left.join('; ')})` : ''}`);
}

describe(`each condition on ${dialect}`, () => {
  const test = suiteFixture(startWorld);
  let browser: OperatorBrowser;
  const failed: (readonly string[])[] = [];
  before(async () => {
    failed.push(failedAnswers(test.service.url), failedAnswers(test.service.operatorsUrl ?? test.service.url));
    browser = await OperatorBrowser.signIn(test, 'viewer');
  });
  const ours = () => ({
    ...new Admin(test).env,
    ...test.settings,
    PUBLIC_URL: test.service.url,
    OPS_PORT: new URL(test.service.operatorsUrl ?? '').port,
  });

  async function inTurn(id: ConditionId, situation: Situation): Promise<void> {
    const { begin, end, not } = situation;
    const looks = async () => looksAt(id, test, { browser, env: ours(), before: await scrape(test) });
    const seen = await looks();
    const former = (await seen.gauge()) ? await doctor(id, ours()) : undefined;
    expect(former, `${id} before it begins: ${former?.found} Answers so far: ${failed.flat().join('; ')}`).to.equal(
      undefined,
    );
    await begin(test);
    let named = '';
    try {
      named = await all('names', id, seen, not);
    } finally {
      await end(test);
    }
    tell(id, named, await all('clears', id, await looks(), not, false), situation);
  }

  /** In a service with settings of its own. */
  async function withSettings(id: ConditionId, { begin, serves: not }: Outside): Promise<void> {
    const { env, root, runs, end, stop } = await begin(test);
    try {
      if (!not) await isRefused(id, { ...ours(), ...env }, root);
      else if (runs) await shows(id, runs, { ...ours(), ...env }, not, end);
      else {
        const other = await startTestService({ ...CONSOLE, RUN_WORKERS: 'false', ...env });
        const settings = { ...new Admin(other).env, ...env };
        await shows(id, other, settings, not, end).finally(() => other.stop());
      }
    } finally {
      await stop?.();
    }
  }

  /** No service runs, so the doctor alone can say it. */
  async function isRefused(id: ConditionId, env: Record<string, string>, root?: string): Promise<void> {
    const answer = await doctor(id, env, root);
    expect(answer, id).to.not.equal(undefined);
    const { code, stderr } = await run('bin/api.ts', [], { ...PATIENCE, PORT: '0', ...env }, root);
    expect(code, `the start with ${id}`).to.equal(1);
    expect(stderr)
      .to.match(/\S/)
      .and.not.match(/^ +at /m);
    total.refused++;
    console.log(
      `      ${id}: the doctor says ${answer?.state}, ${answer?.found} The start is refused: ${stderr.trim()}`,
    );
  }

  async function shows(
    id: ConditionId,
    looker: Looker,
    env: Record<string, string>,
    not: NonNullable<Not>,
    end: Awaited<ReturnType<Outside['begin']>>['end'],
  ): Promise<void> {
    const as = not.console ? undefined : await OperatorBrowser.signIn(looker, 'viewer');
    const looks = async () => looksAt(id, looker, { browser: as, env, before: await scrape(looker) });
    const seen = await looks();
    const named = await all('names', id, seen, not);
    if (!end) return tell(id, named, 'other settings', { not });
    await end(looker, new Admin(test, env));
    tell(id, named, await all('clears', id, await looks(), not, false), { not });
  }

  after(() => {
    const { everywhere, somewhere, byRows, refused, absent } = total;
    console.log(
      `\n  On ${dialect}, of ${conditionIds.length} conditions: ${everywhere} named by doctor, console, gauge and alert; ${somewhere} by all of them that can see it; ${refused} by the doctor, and the start is refused; ${absent} absent from this database. Of these, by rows: ${byRows}.`,
    );
  });

  for (const id of conditionIds) {
    const situation = situations[id];
    const elsewhere: Outside | string | undefined = outside[id];
    if (situation) it(`${id} is named in time and clears`, () => inTurn(id, situation)).timeout(MAX_MS);
    else if (typeof elsewhere === 'object')
      it(`${id} is named in time, in settings of its own`, async () => {
        await withSettings(id, elsewhere);
        expect(await doctor(id, ours()), 'when it is over').to.equal(undefined);
      }).timeout(MAX_MS);
    else
      it(`${id} is absent: ${elsewhere}`, () => {
        expect(elsewhere, 'every condition has a situation').to.be.a('string');
        total.absent++;
      });
  }
});
