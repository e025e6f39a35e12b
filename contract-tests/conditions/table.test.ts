import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { notChecked, type Observation, ok, problem, unknown, verdictOn } from '../../core/conditions/observation.ts';
import { alertOf, type ConditionId, conditionIds, conditionOf } from '../../core/conditions/table.ts';
import { databases } from '../../harness/database/dialect.ts';
import { parseSamples } from '../../harness/monitoring/metrics.ts';
import { isActive } from '../../harness/monitoring/promql.ts';
import { Admin } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';
import { setConditions } from '../../http/operators/state-metrics.ts';
import { withRemedy } from '../../jobs/conditions/look.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';

databases('either');

interface Rule {
  alert: string;
  expr: string;
  labels: { condition?: ConditionId };
}

const DOCS = new URL('../../docs/', import.meta.url);
const alerts: { groups: { rules: Rule[] }[] } = parse(await readFile(new URL('monitoring/alerts.yaml', DOCS), 'utf8'));
const rules = alerts.groups.flatMap((group) => group.rules);
const guide = await readFile(new URL('operating/troubleshooting.md', DOCS), 'utf8');

/** The gauges of one condition in a state. */
async function gauges(condition: ConditionId, observation: Observation) {
  const registry = new Registry();
  setConditions(registry, [withRemedy(condition, observation)]);
  return parseSamples(await registry.metrics());
}

describe('the table of conditions', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });

  it('is what the doctor answers, in its order, and each that is not well has advice', async () => {
    const { stdout } = await new Admin(test).run(['doctor', '--json'], { PUBLIC_URL: test.service.url });
    const answers: { check: string; state: string; advice: string | null }[] = JSON.parse(stdout);
    expect(answers.map(({ check }) => check)).to.deep.equal(conditionIds);
    for (const { check, state, advice } of answers) expect(advice === null, check).to.equal(state === 'ok');
  });

  it('is what the console’s overview looks at', async () => {
    const browser = await OperatorBrowser.signIn(test, 'viewer');
    const { text: overview } = await browser.open('/');
    const shown = overview.match(/<span class="badge [a-z]+">(ok|warning|problem|unknown|not checked)<\/span>/g);
    expect(shown).to.have.lengthOf(conditionIds.length);
  });

  for (const id of conditionIds)
    it(`${id} has a gauge, an alert that follows it, and a section with its threshold and remedy`, async () => {
      const rule = rules.find(({ labels }) => labels.condition === id) ?? expect.fail('no alert');
      expect(rule.alert).to.equal(alertOf(id));
      if (conditionOf(id).alert.expression === undefined) {
        const fires = async (observation: Observation) =>
          isActive(rule.expr, { before: [], now: await gauges(id, observation) });
        expect(await fires(problem('It is so.')), 'while it is a problem').to.equal(true);
        expect(await fires(ok('It is over.')), 'when it is over').to.equal(false);
      }
      const states = (await gauges(id, problem('It is so.'))).filter(({ value }) => value === 1);
      expect(states.map(({ labels }) => labels)).to.deep.equal([{ condition: id, state: 'problem' }]);
      const [, section = ''] = guide.split(`\n### ${id}\n`);
      const { threshold, remedy } = conditionOf(id);
      expect(section.split('\n### ')[0]).to.include(threshold).and.include(remedy.replace(/:$/, '.'));
    });

  it('has an alert for what cannot be checked', async () => {
    const rule = rules.find(({ alert }) => alert === 'ScreeningConditionUnknown') ?? expect.fail('no alert');
    const now = await gauges('mail', unknown('No answer within 5 s.'));
    expect(isActive(rule.expr, { before: [], now })).to.equal(true);
  });
});

describe('the verdict', () => {
  it('is that no problems were found only when everything was checked', () => {
    expect(verdictOn([ok('a'), ok('b')])).to.equal('No problems found.');
    expect(verdictOn([ok('a'), notChecked('b')])).to.equal('Found: 1 not checked.');
    expect(verdictOn([problem('a'), unknown('b'), problem('c'), notChecked('d')])).to.equal(
      'Found: 2 problems, 1 unknown and 1 not checked.',
    );
  });
});
