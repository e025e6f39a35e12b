import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Command } from 'commander';
import { createProgram } from '../../bin/admin/program.ts';
import { documentedJson } from '../../harness/contract/documented-json.ts';
import { databases } from '../../harness/database/dialect.ts';
import { programEnv, spawnProgram } from '../../harness/process/process.ts';
import { Admin, misunderstood } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

/** The help as printed without a terminal. */
function helpOf(command: Command): string {
  let help = '';
  const writeOut = (text: string) => {
    help += text;
  };
  command.configureOutput({ writeOut, getOutHelpWidth: () => 80, getOutHasColors: () => false }).outputHelp();
  return help;
}

/** Makes a program treat its pipes as a terminal. */
const TERMINAL = 'data:text/javascript,process.stdin.isTTY = process.stderr.isTTY = true';

describe('the command line as a program', () => {
  const test = useService();
  const admin = new Admin(test);

  const leaves = documentedJson().map(({ command }) => command);

  const expectExplained = (name: string, help: string) => {
    expect(help).to.include(`npm run admin -- ${name}`).and.include('--json');
    expect(help).to.match(new RegExp(`\nExample:\n  npm run --silent admin -- ${name}`));
  };

  /** Commands to paste are not wrapped. */
  const expectNarrow = (help: string) => {
    const prose = help.split('\n').filter((line) => !/^ {2}(?:npm run|screening-admin) /.test(line));
    for (const line of prose) expect(line.length, line).to.be.at.most(80);
  };

  it('documents every command in its help, and no other, in 80 columns, with an example and without a database', async () => {
    const nouns = [...new Set(leaves.map((leaf) => leaf.split(' ')[0] ?? ''))];
    const { commands } = await createProgram(nouns);
    const described = commands.flatMap((noun) =>
      noun.commands.length === 0
        ? [{ name: noun.name(), help: helpOf(noun) }]
        : noun.commands.map((leaf) => ({ name: `${noun.name()} ${leaf.name()}`, help: helpOf(leaf) })),
    );
    expect(described.map(({ name }) => name)).to.have.members(leaves);
    for (const { name, help } of described) expectExplained(name, help);
    for (const help of [...commands.map(helpOf), ...described.map(({ help }) => help)]) expectNarrow(help);

    const nowhere = { DATABASE_URL: 'mysql://nowhere', DATA_DIR: join(test.folder, 'never-made') };
    for (const { name, help } of described.filter(({ name }) => name.endsWith(' list'))) {
      const ended = await admin.run([...name.split(' '), '--help'], nowhere);
      expect(ended, name).to.deep.equal({ code: 0, stderr: '', stdout: help });
    }
    const { stdout } = await admin.run(['--help'], nowhere);
    for (const noun of nouns) expect(stdout).to.match(new RegExp(`^  ${noun}[ |]`, 'm'));
    expectNarrow(stdout);
  });

  it('asks on a terminal, and exits after the answer although the terminal stays open', async () => {
    const program = new URL('../../bin/admin.ts', import.meta.url).pathname;
    const asked = spawn(process.execPath, ['--import', TERMINAL, program, 'key', 'revoke', test.alice.clientId], {
      env: { ...programEnv(), ...admin.env },
      timeout: 60_000,
    });
    const ended = new Promise((resolve) => asked.once('exit', resolve));
    asked.stdin.write('no\n');
    const said = text(asked.stderr);
    expect(await ended).to.equal(1);
    asked.stdin.destroy();
    expect(await said).to.match(/Type yes to continue: Error: nothing was changed\.\n$/);
  });

  it('shows progress on a terminal, and none to a program that reads its JSON', async () => {
    const onTerminal = (...args: string[]) => {
      const program = new URL('../../bin/admin.ts', import.meta.url).pathname;
      const child = spawn(process.execPath, ['--import', TERMINAL, program, 'encryption', 'status', ...args], {
        env: { ...programEnv(), ...admin.env },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      return text(child.stderr);
    };
    expect(await onTerminal()).to.match(/Reading \[.*\d+%/);
    expect(await onTerminal('--json')).to.equal('');
  });

  it('exits with 2 for input it does not understand, and says so in one line', async () => {
    const faults = [
      ['landlrd', 'list'],
      ['landlord', 'crate'],
      ['landlord', 'create'],
      ['landlord', 'create', '--name'],
      ['landlord', 'create', '--name', ' '],
      ['landlord', 'create', '--nmae', 'Casa'],
      ['landlord', 'list', 'surplus'],
      ['key', 'revoke', '--json'],
    ];
    for (const args of faults) expect(await misunderstood(...args)).to.match(/--help/);
    for (const args of faults.slice(0, 2)) expect(await admin.refused(2, args)).to.match(/--help/);
    for (const args of [[], ['landlord'], ['--json']]) {
      const { code, stdout, stderr } = await admin.run(args);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.match(/^Usage: /);
    }
  });

  it('reports wrong settings or an unusable database in one line', async () => {
    const list = ['landlord', 'list', '--json'];
    const noDatabase = await admin.file('this is no database', 'no.db');
    const settings: [Record<string, string>, RegExp][] = [
      [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must be/],
      [{ PORT: 'x', LOG_LEVEL: 'loud' }, /PORT is "x".*LOG_LEVEL is "loud"/],
      [{ DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/x' }, /does not answer/],
      [{ DATABASE_URL: `sqlite:${noDatabase}` }, /is not an SQLite database/],
      [{ DATABASE_URL: `sqlite:${test.folder}` }, /cannot be opened/],
    ];
    for (const [extra, pattern] of settings)
      expect(await admin.refused(1, list, extra))
        .to.match(pattern)
        .and.not.include('secret');
  });

  it('prints one JSON document and nothing else, whatever the log level', async () => {
    const { code, stdout } = await admin.run(['landlord', 'list', '--json'], { LOG_LEVEL: 'trace' });
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.be.an('array').that.is.not.empty;
  });

  it('exits quietly when its output is closed', async () => {
    const child = spawnProgram('../../bin/admin.ts', admin.env, ['landlord', 'list']);
    child.stdout?.destroy();
    expect(await new Promise((resolve) => child.once('exit', resolve))).to.equal(0);
  });

  it('fits a narrow terminal: truncates where allowed, omits what --wide shows, else prints blocks, and never truncates an identifier', async () => {
    const name = `Casa ${'larga '.repeat(20)}Ω漢字`.trim();
    const { landlord_id } = await admin.json<{ landlord_id: string }>('landlord', 'create', '--name', name);
    const at = async (columns: string, ...options: string[]) => {
      const { stdout } = await admin.run(['landlord', 'list', ...options], { COLUMNS: columns });
      expect(stdout).to.include(landlord_id);
      return stdout;
    };
    const cut = await at('90');
    for (const line of cut.split('\n')) expect(line.length, line).to.be.at.most(90);
    expect(cut).to.match(/Casa larga larga .*…/);
    const compact = await at('60');
    for (const line of compact.split('\n')) expect(line.length, line).to.be.at.most(60);
    expect(compact)
      .to.match(/^landlord id +name\n/)
      .and.include('Left out: created at. --wide shows all.');
    expect(await at('60', '--wide'))
      .to.match(/^landlord id +name +created at\n/)
      .and.include(name)
      .and.not.include('Left out');
    const blocks = await at('40');
    expect(blocks)
      .to.match(new RegExp(`^landlord id +${landlord_id}$`, 'm'))
      .and.include(name);
  });

  it('sends no control characters to a terminal', async () => {
    await admin.json('landlord', 'create', '--name', 'Red \u001b[31mHouse\nSecond line');
    const human = await admin.text('landlord', 'list');
    expect(human).to.include('Red  [31mHouse Second line').and.not.include('\u001b');
  });
});
