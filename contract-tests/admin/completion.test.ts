import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { bashScript } from '../../bin/admin/cli/completion/bash.ts';
import { fishScript } from '../../bin/admin/cli/completion/fish.ts';
import { placesOf } from '../../bin/admin/cli/completion/places.ts';
import { zshScript } from '../../bin/admin/cli/completion/zsh.ts';
import { createWholeProgram } from '../../bin/admin/program.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { programEnv } from '../../harness/process/process.ts';
import { misunderstood } from '../../harness/service/admin.ts';

databases('either');

const run = promisify(execFile);
const ADMIN = new URL('../../bin/admin.ts', import.meta.url).pathname;

describe('the command line’s completion', () => {
  const folder = suiteFixture(temporaryFolder);
  before(async () => {
    await writeFile(join(folder.path, 'payslip of may.pdf'), '');
  });

  /** The completions that a real bash offers for the last word of each line. */
  const offered = async (script: string, lines: string[][]): Promise<string[][]> => {
    const tries = lines.map((words) => {
      const typed = ['screening-admin', ...words].map((word) => `'${word}'`).join(' ');
      return `COMP_WORDS=(${typed}) COMP_CWORD=${words.length}; _screening_admin; printf '%s\\n' "\${COMPREPLY[@]}"; echo --`;
    });
    const { stdout } = await run('bash', ['-u', '-c', [script, ...tries].join('\n')], { cwd: folder.path });
    return stdout
      .split(/^--\n/m)
      .slice(0, -1)
      .map((part) => part.split('\n').filter(Boolean));
  };

  it('completes nouns, commands, options and their values in bash, and files where one belongs', async () => {
    const { stdout: script } = await run(process.execPath, [ADMIN, 'completion', 'bash'], { env: programEnv() });
    const [nouns, commands, options, values, ofAlias, afterJson, file, none, nothing] = await offered(script, [
      ['w'],
      ['landlord', ''],
      ['webhook', 'list', '--st'],
      ['webhook', 'list', '--status', ''],
      ['forensic', 'list', '--status', 'p'],
      ['--json', 'completion', ''],
      ['document', 'add', 'x', 'pay'],
      ['landlord', 'create', '--name', ''],
      ['landlrd', ''],
    ]);
    expect(nouns).to.deep.equal(['workspace', 'webhook', 'work']);
    expect(commands).to.include.members(['create', 'list', '--help', '--json']).and.not.include('webhook');
    expect(options).to.deep.equal(['--status']);
    expect(values).to.deep.equal(['active', 'failing', 'paused']);
    expect(ofAlias).to.deep.equal(['pending', 'processing']);
    expect(afterJson).to.include.members(['bash', 'zsh', 'fish']);
    expect(file).to.deep.equal(['payslip of may.pdf']);
    expect([none, nothing]).to.deep.equal([[], []]);
  });

  it('knows every command and option of the program in every shell', async () => {
    const program = await createWholeProgram();
    const places = placesOf(program);
    for (const noun of program.commands)
      for (const leaf of noun.commands) {
        const place = places.find(({ typedWords }) => typedWords === `${noun.name()} ${leaf.name()}`);
        const texts = place?.words.map(({ text }) => text);
        for (const { long } of leaf.options) expect(texts, leaf.name()).to.include(long);
      }
    for (const script of [bashScript, zshScript, fishScript])
      for (const { typedWords } of places) expect(script(places)).to.include(typedWords);
    await misunderstood('completion', 'powershell');
    await misunderstood('completion');
  });
});
