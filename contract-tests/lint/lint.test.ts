import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { editedContract, textOf } from '../../harness/contract/edited-contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { faults } from './lint-faults.ts';
import { displaced, ungiven, unsaid } from './lint-given-faults.ts';

databases('none', 'nightly');

interface Problem {
  ruleId: string;
  message: string;
  location: { pointer: string; start: { line: number } }[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));

const asFaults = (rule: string, some: typeof ungiven) =>
  some.map(([what, edits, pointer, says]): (typeof faults)[number] => [what, edits, rule, pointer, says]);

const cases = [
  ...faults,
  ...asFaults('contract/given', ungiven),
  ...asFaults('contract/open-points-placed', displaced),
  ...asFaults('contract/sentences', unsaid),
];

describe('the contract lint', () => {
  let folder: string;
  let problems: Problem[][];
  const file = (index: number) => join(folder, `case-${index}.yaml`);

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'lint-'));
    for (const [index, [, edits]] of cases.entries()) writeFileSync(file(index), textOf(editedContract(...edits)));
    const { status, said, complained } = lint(
      '--format=json',
      '--max-problems=100000',
      'openapi.yaml',
      ...cases.keys().map(file),
    );
    expect(status, said).to.equal(1);
    // Redocly writes one JSON document for each file, in the order of the files.
    problems = said.split(/(?<=^\})(?=\{$)/m).map((report) => JSON.parse(report).problems);
    expect(problems, complained).to.have.lengthOf(cases.length + 1);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('passes for the contract', () => {
    expect(problems[0]).to.deep.equal([]);
  });

  for (const [index, [what, , rule, pointer, says = '']] of cases.entries())
    it(`finds ${what}, and where (${rule})`, () => {
      const found = (problems[index + 1] ?? []).filter(({ ruleId }) => ruleId === rule);
      const there = found.filter(({ location }) => location.some((place) => place.pointer.startsWith(`#${pointer}`)));
      expect(there.map(({ message }) => message).join('\n'), JSON.stringify(found, null, 1)).to.include(says).and.not.be
        .empty;
      expect(there[0]?.location[0]?.start.line).to.be.above(0);
    });

  it('fails for invalid YAML', () => {
    writeFileSync(file(0), 'openapi: 3.0.3\n paths: {');
    const { status, said } = lint(file(0));
    expect(status, said).not.to.equal(0);
  });

  function lint(...args: string[]) {
    const run = spawnSync(process.execPath, ['scripts/lint/lint.ts', ...args], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    return { status: run.status, said: run.stdout, complained: run.stderr };
  }
});
