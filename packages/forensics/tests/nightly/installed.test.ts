import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Analysis } from '../../analysis.ts';
import { encodePng } from '../../image/encode-png.ts';
import { pdfOf, text } from '../fixtures/pdf.ts';

/** Long enough to compare something. */
const LETTER = 'A letter that confirms to the reader what was agreed with them on the phone.';

const isOurs = (path: string) => !path.includes('node_modules');
const copyTo = (home: string) =>
  cp('packages/forensics', home, { recursive: true, preserveTimestamps: true, filter: isOurs });

/** Analyses a PDF and a picture with the package in that folder. */
async function outcomesIn(home: string): Promise<string[]> {
  const { createForensicEngine }: typeof import('../../analyse.ts') = await import(
    pathToFileURL(join(home, 'analyse.ts')).href
  );
  const engine = createForensicEngine({ parallel: 1 });
  const submitted = (id: string, bytes: Uint8Array) => ({
    id,
    name: id,
    async *read() {
      yield bytes;
    },
  });
  const { documents } = await engine.analyse([
    submitted('letter', pdfOf([text(50, 50, LETTER)])),
    submitted('picture', encodePng({ width: 600, height: 600, data: new Uint8Array(1_080_000) })),
  ]);
  await engine.close();
  return documents.map(({ outcome, checks }) => {
    const failed = checks.filter(({ status }) => status === 'error' || status === 'unreadable');
    return `${outcome}, ${failed.length} failed`;
  });
}

describe('the forensics package alone, with its dependencies linked into its folder', () => {
  let folder: string;
  let home: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forensics #1 ?2 %3F ñ '));
    home = join(folder, 'forensics');
    await copyTo(home);
    await symlink(resolve('node_modules'), join(home, 'node_modules'));
    await writeFile(join(folder, 'letter.pdf'), pdfOf([text(50, 50, LETTER)]));
    await writeFile(join(folder, 'notes.txt'), 'No document at all.');
  });
  after(() => rm(folder, { recursive: true }));

  const run = (...args: string[]) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((done) => {
      const program = join(home, 'bin/forensics.mjs');
      execFile(process.execPath, [program, ...args], { cwd: folder }, (error, stdout, stderr) =>
        done({ code: error ? error.code : 0, stdout, stderr }),
      );
    });

  // The package's first process compiles everything: up to a minute beside other tests on two cores.
  it('analyses a PDF and a picture', async () => {
    expect(await outcomesIn(home)).to.deep.equal(['no_finding, 0 failed', 'inconclusive, 0 failed']);
  }).timeout(300_000);

  it('has a command line that analyses files, writes a report and prints JSON', async () => {
    const told = await run('analyse', 'letter.pdf', 'notes.txt', 'letter.pdf', '--html', 'report.html');
    expect(told).to.include({ code: 0, stderr: '' });
    expect(told.stdout).to.match(/^2 documents: 1 inconclusive, 1 no finding\n/);
    const page = join(folder, 'report.html');
    expect(told.stdout).to.include(`For a browser: ${page}`);
    expect(await readFile(page, 'utf8')).to.include('data:image/png;base64,');
    expect((await stat(page)).mode & 0o077, 'for no one else').to.equal(0);
    const failed = await run('analyse', 'notes.txt', '--json', '--no-ocr', '--fail-on', 'inconclusive');
    expect(failed).to.include({ code: 1, stderr: '' });
    const { documents }: Analysis = JSON.parse(failed.stdout);
    expect(documents[0]).to.include({ document_id: 'notes.txt', outcome: 'inconclusive' });
  });

  it('reports in one line what it cannot do', async () => {
    expect(await run('analyse', 'absent.pdf')).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: `Error: cannot read ${join(folder, 'absent.pdf')}: no such file or directory\n`,
    });
    expect(await run('analyse', 'letter.pdf', '--html', 'letter.pdf')).to.deep.equal({
      code: 2,
      stdout: '',
      stderr:
        'Error: --html takes the name of a file that ends with .html. Add --help to see how the command is used.\n',
    });
    expect(await run('analise')).to.include({ code: 2, stdout: '' });
    expect((await run('--help')).stdout).to.match(/^Usage: screening-forensics .*\banalyse\b.*\brules\b/s);
  });

  it('lists its rules', async () => {
    const { stdout } = await run('rules', '--strength', 'strong');
    expect(stdout).to.match(/^rule +strength +family +title\n/);
    for (const line of stdout.trimEnd().split('\n').slice(1))
      expect(line).to.match(/^[a-z0-9-]+ v\d+ +strong +\w+ +\S/);
  });
});

describe('the forensics package with sharp nested in it and the other dependencies in a parent folder', () => {
  const NESTED = ['sharp', '@img'];
  let folder: string;
  let home: string;
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'forensics nested ')));
    home = join(folder, 'packages/forensics');
    await copyTo(home);
    await mkdir(join(folder, 'node_modules'));
    for (const name of await readdir('node_modules'))
      if (!NESTED.includes(name)) await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
    for (const name of NESTED)
      await cp(join('node_modules', name), join(home, 'node_modules', name), { recursive: true });
  });
  after(() => rm(folder, { recursive: true }));

  it('lets the sandbox read both folders', async () => {
    const { MODULES }: typeof import('../../isolation/dependencies.ts') = await import(
      pathToFileURL(join(home, 'isolation/dependencies.ts')).href
    );
    expect(MODULES).to.include.members([join(folder, 'node_modules'), join(home, 'node_modules')]);
  });

  it('analyses a PDF and a picture', async () => {
    expect(await outcomesIn(home)).to.deep.equal(['no_finding, 0 failed', 'inconclusive, 0 failed']);
  });
});
