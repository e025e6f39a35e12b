/** `npm run conditions`: brings about each condition and shows who names it, after how long, and that all stop when it is over. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { parse } from 'yaml';
import { type ConditionId, conditionIds } from '../../core/conditions/table.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { type Sample, samplesOf } from '../../harness/monitoring/metrics.ts';
import { isActive } from '../../harness/monitoring/promql.ts';
import { programEnv } from '../../harness/process/process.ts';
import { Admin } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';
import { type Outside, outside } from './outside.ts';
import { type Channel, type Situation, situations } from './situations.ts';

databases('both');

interface Rules {
  groups: { rules: { alert: string; expr: string; labels: { condition?: string } }[] }[];
}

/** In time: a cached answer of a party outside is at most a minute old. */
const IN_TIME_MS = 90_000;
const STEP_MS = 500;
const CHANNELS: readonly Channel[] = ['doctor', 'console', 'gauge', 'alert'];
const rules: Rules = parse(await readFile(new URL('../../docs/monitoring/alerts.yaml', import.meta.url), 'utf8'));
const expressions = new Map(
  rules.groups.flatMap((group) => group.rules.map(({ labels, expr }) => [labels.condition, expr])),
);
const AMISS = ['problem', 'warning'];

/** In a process of its own, because it ends although a silent party keeps a connection open. */
function ownProcess(env: Record<string, string>): Promise<string> {
  const command = ['bin/admin.ts', 'doctor', '--json'];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env: { ...programEnv(), ...env } }, (_, stdout) => resolve(stdout));
  });
}

describe(`each condition on ${dialect}`, () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false', DATABASE_IDLE_SECONDS: '120' });
  const admin = new Admin(test);
  let browser: OperatorBrowser;
  before(async () => {
    browser = await OperatorBrowser.signIn(test, 'viewer');
  });

  const scrape = async (): Promise<Sample[]> => [
    { name: 'up', labels: { job: 'screening' }, value: 1 },
    ...(await samplesOf(test.service.operatorsUrl)).all,
  ];
  const doctor = async (id: ConditionId, env: Record<string, string> = {}) => {
    const ours = { PUBLIC_URL: test.service.url, OPS_PORT: new URL(test.service.operatorsUrl ?? '').port };
    const stdout = await ownProcess({ ...admin.env, ...ours, ...env });
    const answers: { check: string; state: string; found: string }[] = JSON.parse(stdout);
    return answers.find(({ check, state }) => check === id && AMISS.includes(state));
  };
  const gauge = async (id: ConditionId) =>
    (await scrape()).some(
      ({ name, labels, value }) =>
        name === 'screening_condition' &&
        labels['condition'] === id &&
        AMISS.includes(labels['state'] ?? '') &&
        value === 1,
    );
  /** Whether each channel names the condition. */
  const looks = (id: ConditionId, before: readonly Sample[]): Record<Channel, () => Promise<boolean>> => ({
    doctor: async () => (await doctor(id)) !== undefined,
    console: async () => (await browser.open('/')).text.includes(`data-condition="${id}"`),
    gauge: () => gauge(id),
    alert: async () => isActive(expressions.get(id) ?? expect.fail('no alert'), { before, now: await scrape() }),
  });

  /** @returns after how many seconds it is so */
  async function timed(what: string, look: () => Promise<boolean>): Promise<string> {
    const startedAt = performance.now();
    while (!(await look())) {
      if (performance.now() - startedAt > IN_TIME_MS) throw new Error(`Not in time: ${what}.`);
      await wait(STEP_MS);
    }
    return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  }

  async function inTurn(id: ConditionId, { begin, end, not = {} }: Situation): Promise<void> {
    const seen = looks(id, await scrape());
    const channels = CHANNELS.filter((channel) => !not[channel]);
    await begin(test);
    const named: string[] = [];
    try {
      for (const channel of channels) named.push(`${channel} ${await timed(`${channel} names ${id}`, seen[channel])}`);
    } finally {
      await end(test);
    }
    const over = looks(id, await scrape());
    const cleared: string[] = [];
    for (const channel of channels)
      cleared.push(`${channel} ${await timed(`${channel} clears ${id}`, async () => !(await over[channel]()))}`);
    const left = Object.entries(not).map(([channel, why]) => `${channel}: ${why}`);
    console.log(
      `      ${id}: named by ${named.join(', ')}; cleared by ${cleared.join(', ')}${left.length > 0 ? ` (${left.join('; ')})` : ''}`,
    );
  }

  for (const id of conditionIds) {
    const situation = situations[id];
    const elsewhere: Outside | string | undefined = outside[id];
    if (situation) it(`${id} is named in time and clears`, () => inTurn(id, situation));
    else if (typeof elsewhere === 'object')
      it(`${id} is named in time by the doctor, in settings that the service does not start with`, async () => {
        const { env, stop } = await elsewhere.begin(test);
        try {
          const answer = await doctor(id, env);
          expect(answer, id).to.not.equal(undefined);
          console.log(`      ${id}: ${answer?.state}, ${answer?.found}`);
        } finally {
          await stop?.();
        }
        expect(await doctor(id), 'when it is over').to.equal(undefined);
      });
    else
      it(`${id} is brought about in ${elsewhere}`, () => {
        expect(elsewhere, 'every condition has a situation').to.be.a('string');
      });
  }
});
