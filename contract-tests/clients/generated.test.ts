import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';
import { generators, STORIES, versionOf } from '../../scripts/clients/generators.ts';
import { tell } from '../../scripts/clients/tell.ts';
import { blocksOf } from '../guides/guide.ts';

databases('sqlite', 'nightly');

/** The generators' output on success, on a terminal and under CI; any other line is a warning. */
const CHATTER: Record<string, RegExp> = {
  'hey-api': /^(@hey-api\/openapi-ts v.*|\[Job 1\] .*|)$/,
  'swagger-typescript-api': /^((?:[ℹ✔]|\[(?:info|success)\]) .*|)$/,
};

const fromNpm = generators.filter(({ needs }) => needs.length === 0);
const read = (name: string) => readFileSync(new URL(name, STORIES), 'utf8');

describe('a client generated from the contract', () => {
  const test = useService();

  for (const generator of fromNpm)
    it(`${generator.name}: is generated without warnings, compiles strictly and gets from token to application`, async () => {
      const { service, alice } = test;
      const stage = {
        baseUrl: `${service.url}${basePath}`,
        clientId: alice.clientId,
        clientSecret: alice.clientSecret,
      };
      const { built, applicationId } = await tell(generator, stage);
      const complaints = built.split('\n').filter((line) => !CHATTER[generator.story]?.test(line));
      expect(complaints, 'what the generator and the compiler say').to.deep.equal([]);
      await alice.ok('getApplication', { params: { applicationId } });
    });

  it('is tested by `npm run clients` for every story, with a pinned generator', () => {
    const folders = readdirSync(STORIES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(generators.map(({ story }) => story)).to.have.members(folders.map(({ name }) => name));
    for (const generator of generators) expect(versionOf(generator), generator.story).to.match(/^\d+\.\d+\.\d+$/);
    expect(new Set(generators.map(({ language }) => language)).size, 'languages').to.be.at.least(8);
  });
});

describe('the guide to typed clients, for other languages', () => {
  /** The heading and the files that follow it, in order; the program is a download. */
  const shown: [string, ...string[]][] = [
    ['Java', 'java/build.sh', 'java/run.sh'],
    ['Kotlin', 'kotlin/build.sh', 'kotlin/run.sh'],
    ['Go', 'go-oapi-codegen/build.sh', 'go-oapi-codegen/run.sh'],
    ['Rust', 'rust/build.sh', 'rust/run.sh'],
    ['Python', 'python-openapi-python-client/build.sh', 'python-openapi-python-client/run.sh'],
    ['PHP', 'php/build.sh', 'php/run.sh'],
    ['Ruby', 'ruby/build.sh', 'ruby/run.sh'],
  ];
  for (const [heading, ...names] of shown)
    it(`shows what npm run clients tests: ${heading}`, () => {
      const blocks = blocksOf('clients.md').filter((block) => block.heading === heading);
      expect(blocks.map(({ text }) => `${text}\n`)).to.deep.equal(names.map(read));
    });
});
