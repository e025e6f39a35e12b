import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type Edit, editedContract, textOf } from '../../harness/contract/edited-contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { check } from '../../scripts/gate/check.ts';

databases('none', 'nightly');

const root = fileURLToPath(new URL('../..', import.meta.url));
const CONTRACT = 'openapi.yaml';
const RELEASED = 'docs/contract/released.yaml';
const CHANGELOG = 'docs/contract/CHANGELOG.md';
const WORKSPACES = '/paths/~1property-management~1workspaces';
const PROPERTY = '/paths/~1property-management~1properties~1{property_id}/get';
const EMAIL = '/components/schemas/Email';
const TENANT_EMAIL = '/components/schemas/ApplicationDraftTenant/properties/email';

const version = (to: string): Edit => ({ set: '/info/version', to });
const original = textOf(editedContract(version('1.0.0')));
const broken = textOf(editedContract(version('1.0.0'), { remove: WORKSPACES }));
const added = textOf(editedContract(version('1.1.0'), { set: `${PROPERTY}/parameters/1/required`, to: false }));
const first = '## 1.0.0 - 2026-11-21\n\n- Everything.\n';
const second = '## 1.1.0 - 2027-01-31\n\n- An optional parameter.\n\n';

describe('npm run gate', () => {
  let folder: string;
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const program = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/gate/gate.ts', '--in', folder, ...args], {
      cwd: root,
      encoding: 'utf8',
    });
    return { status, said: stderr };
  };
  /** The rest of the program, after the options are parsed. */
  const outcome = async (isRelease: boolean) => {
    const { problems } = await check(folder, { isRelease });
    return { status: problems.length > 0 ? 1 : 0, said: problems.map((problem) => `✘ ${problem}\n`).join('') };
  };
  const gate = () => outcome(false);
  const release = () => outcome(true);
  const passes = { status: 0, said: '' };
  const refuses = async (reason: string, asked: Promise<{ status: number; said: string }> = gate()) => {
    const { status, said } = await asked;
    expect(status, said).to.equal(1);
    expect(said).to.include(reason);
  };
  /** The changelog with another hash for the first version, or with none. */
  const rewriteHash = (hash: string | undefined) => {
    const line = hash ? `Contract: SHA-256 \`${hash}\`\n` : '';
    write(CHANGELOG, read(CHANGELOG).replace(/^Contract: .*\n/m, line));
  };

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gate-'));
    mkdirSync(join(folder, 'docs/contract'), { recursive: true });
    write(CONTRACT, original);
    write(CHANGELOG, first);
    expect(program('--release'), 'a first release').to.deep.equal(passes);
    cpSync(folder, `${folder}-released`, { recursive: true });
  });
  beforeEach(() => cpSync(`${folder}-released`, folder, { recursive: true }));
  after(() => {
    for (const made of [folder, `${folder}-released`]) rmSync(made, { recursive: true, force: true });
  });

  it('passes for the files of this repository', () => {
    for (const name of [CONTRACT, 'docs/contract']) cpSync(join(root, name), join(folder, name), { recursive: true });
    expect(program()).to.deep.equal(passes);
  });

  it('fails for a break and says where it is, what it is and what to do', () => {
    write(CONTRACT, broken);
    const { status, said } = program();
    expect(status).to.equal(1);
    expect(said).to.include(`#${WORKSPACES}\` is gone`).and.include('CHANGELOG.md');
  });

  it('considers a contract released only when the changelog has its hash, with either line ending', async () => {
    for (const name of [CONTRACT, RELEASED]) write(name, broken);
    for (const ask of [gate, release]) await refuses(`✘ ${RELEASED} is not what was released as 1.0.0`, ask());
    for (const name of [CONTRACT, RELEASED]) write(name, original.replaceAll('\n', '\r\n'));
    expect(await gate()).to.deep.equal(passes);
  });

  it('requires the hash of the released contract', async () => {
    rewriteHash(undefined);
    await refuses('has no "Contract: SHA-256"');
  });

  const faults: [string, string, string][] = [
    ['is no YAML', 'openapi: 3.0.3\n paths: {', ''],
    ['has a key twice', original.replace('{', '{ "openapi": "3.0.3",'), ''],
    ['is no OpenAPI document', 'hello: world\n', 'not an OpenAPI document'],
    [
      'has a reference that leads nowhere',
      textOf(editedContract({ remove: EMAIL })),
      `the reference #${EMAIL} leads nowhere`,
    ],
    [
      'has a reference that leads back to itself',
      textOf(editedContract({ set: EMAIL, to: { $ref: `#${EMAIL}` } })),
      `#${EMAIL}: the reference #${EMAIL} leads back to itself`,
    ],
    [
      'has a limit beside a reference, which not every tool reads',
      textOf(editedContract({ set: `${TENANT_EMAIL}/maxLength`, to: 10 })),
      `#${TENANT_EMAIL}: maxLength beside the reference`,
    ],
    [
      'has a merge key, which not every tool reads',
      textOf(editedContract({ set: `${PROPERTY}/<<`, to: {} })),
      `#${PROPERTY}: write out what`,
    ],
  ];
  for (const [kind, content, reason] of faults)
    it(`fails when a contract ${kind}`, async () => {
      write(CONTRACT, content);
      const asked = gate();
      await refuses(`✘ ${CONTRACT}: `, asked);
      await refuses(reason, asked);
    });

  for (const name of [CONTRACT, CHANGELOG, RELEASED])
    it(`fails without ${name} and releases nothing`, async () => {
      rmSync(join(folder, name));
      for (const ask of [gate, release]) await refuses(name, ask());
    });

  it('does nothing for an unknown option', () => {
    const { status, said } = program('--relase');
    expect(status).to.equal(2);
    expect(said).to.match(/--relase.*\nUsage: npm run gate/);
  });

  describe('-- --release', () => {
    it('releases a passing contract that has a date, and writes its hash once', async () => {
      write(CONTRACT, added);
      await refuses('says nothing of 1.1.0', release());
      for (const date of ['', ' - 2026-13-99', ' - 2026-02-30']) {
        write(CHANGELOG, second.replace(' - 2027-01-31', date) + read(CHANGELOG));
        await refuses('YYYY-MM-DD', release());
        write(CHANGELOG, read(CHANGELOG).slice(second.replace(' - 2027-01-31', date).length));
      }
      expect(read(RELEASED)).to.equal(original);
      write(CHANGELOG, second + read(CHANGELOG));
      for (const _ of ['once', 'again']) expect(await release()).to.deep.equal(passes);
      expect(read(RELEASED)).to.equal(added);
      expect(read(CHANGELOG).match(/^Contract: SHA-256 `/gm), read(CHANGELOG)).to.have.lengthOf(2);
      expect(await gate()).to.deep.equal(passes);
    });

    it('no longer considers the older contract released', async () => {
      write(CONTRACT, added);
      write(CHANGELOG, second + read(CHANGELOG));
      expect(await release()).to.deep.equal(passes);
      for (const name of [CONTRACT, RELEASED]) write(name, original);
      await refuses(`${RELEASED} is not what was released as 1.1.0`);
    });

    it('releases no break under the same version, even when other things are missing', async () => {
      write(CONTRACT, broken);
      await refuses('Breaking', release());
      rmSync(join(folder, RELEASED));
      await refuses(RELEASED, release());
    });

    it('makes a first release only while no other version has a date', async () => {
      rewriteHash(undefined);
      write(CONTRACT, added);
      write(CHANGELOG, second + read(CHANGELOG));
      await refuses('1.0.0 has lost its "Contract: SHA-256"', release());
      expect(read(RELEASED)).to.equal(original);
    });

    it('releases nothing that fails the lint', async () => {
      const unmarked = editedContract(version('1.0.0'), { remove: '/components/schemas/Property/x-open-point' });
      write(CONTRACT, textOf(unmarked));
      await refuses('schemas/Property has lost the mark property-fields', release());
      expect(read(RELEASED)).to.equal(original);
    });
  });
});
