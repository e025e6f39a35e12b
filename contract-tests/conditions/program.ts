/** `npm run conditions`: brings about each condition and shows who names it, after how long, and that all stop when it is over. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { parse } from 'yaml';
import { type ConditionId, conditionIds } from '../../core/conditions/table.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { type Sample, samplesOf } from '../../harness/monitoring/metrics.ts';
import { isActive } from '../../harness/monitoring/promql.ts';
import { programEnv } from '../../harness/process/process.ts';
import { Admin } from '../../harness/service/admin.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';
import { type Outside, outside } from './outside.ts';
import type { Channel, Situation } from './situation.ts';
import { situations } from './situations.ts';
import { startWorld } from './world.ts';

databases('both');

interface Rules {
  groups: { rules: { alert: string; expr: string; labels: { condition?: string } }[] }[];
}

/** In time: a cached answer of a party outside is at most a minute old, and a machine at its limit takes as long again. */
const IN_TIME_MS = 120_000;
const STEP_MS = 500;
const CHANNELS: readonly Channel[] = ['doctor', 'console', 'gauge', 'alert'];
const rules: Rules = parse(await readFile(new URL('../../docs/monitoring/alerts.yaml', import.meta.url), 'utf8'));
const expressions = new Map(
  rules.groups.flatMap((group) => group.rules.map(({ labels, expr }) => [labels.condition, expr])),
);
const AMISS = ['problem', 'warning'];

type Looks = Record<Channel, () => Promise<boolean>>;
type Not = Situation['not'];

async function scrape({ service }: TestService): Promise<Sample[]> {
  const { all } = await samplesOf(service.operatorsUrl);
  return [{ name: 'up', labels: { job: 'screening' }, value: 1 }, ...all];
}

/** In a process of its own, because it ends although a silent party keeps a connection open. @returns what it says of a condition */
async function doctor(id: ConditionId, env: Record<string, string>) {
  const command = ['bin/admin.ts', 'doctor', '--json'];
  const stdout = await new Promise<string>((resolve) => {
    execFile(process.execPath, command, { env: { ...programEnv(), ...env } }, (_, printed) => resolve(printed));
  });
  const answers: { check: string; state: string; found: string }[] = JSON.parse(stdout);
  return answers.find(({ check, state }) => check === id && AMISS.includes(state));
}

/** Whether each channel of a service names the condition. */
function looksAt(
  id: ConditionId,
  test: TestService,
  { browser, env, before }: { browser: OperatorBrowser; env: Record<string, string>; before: readonly Sample[] },
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

function tell(
  id: ConditionId,
  named: string,
  cleared: string,
  { not = {}, byRows }: Pick<Situation, 'not' | 'byRows'>,
) {
  const left = [
    ...Object.entries(not).map(([channel, why]) => `${channel}: ${why}`),
    ...(byRows ? [`by rows: ${byRows}`] : []),
  ];
  console.log(`      ${id}: named by ${named}; cleared by ${cleared}${left.length > 0 ? ` (${left.join('; ')})` : ''}`);
}

describe(`each condition on ${dialect}`, () => {
  const test = suiteFixture(startWorld);
  let browser: OperatorBrowser;
  before(async () => {
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
    expect(former?.found, `${id} before it begins`).to.equal(undefined);
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
    const { env, stop } = await begin(test);
    try {
      if (!not) {
        const answer = await doctor(id, { ...ours(), ...env });
        expect(answer, id).to.not.equal(undefined);
        console.log(`      ${id}: ${answer?.state}, ${answer?.found}`);
        return;
      }
      const other = await startTestService({ ...CONSOLE, RUN_WORKERS: 'false', ...env });
      try {
        const as = await OperatorBrowser.signIn(other, 'viewer');
        const settings = { ...new Admin(other).env, ...env };
        const looks = looksAt(id, other, { browser: as, env: settings, before: await scrape(other) });
        tell(id, await all('names', id, looks, not), 'other settings', { not });
      } finally {
        await other.stop();
      }
    } finally {
      await stop?.();
    }
  }

  for (const id of conditionIds) {
    const situation = situations[id];
    const elsewhere: Outside | string | undefined = outside[id];
    if (situation) it(`${id} is named in time and clears`, () => inTurn(id, situation));
    else if (typeof elsewhere === 'object')
      it(`${id} is named in time, in settings of its own`, async () => {
        await withSettings(id, elsewhere);
        expect(await doctor(id, ours()), 'when it is over').to.equal(undefined);
      });
    else
      it(`${id} is brought about in ${elsewhere}`, () => {
        expect(elsewhere, 'every condition has a situation').to.be.a('string');
      });
  }
});
