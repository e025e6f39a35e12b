import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { receivers, type Step } from '@tenant-screening/webhook-tools/receivers';
import { expect } from 'chai';
import { databases } from '../../../harness/database/dialect.ts';

databases('none');

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = join(PACKAGE, 'receivers/serve.mjs');

/** Starts the program, and reads a line for each receiver. */
async function serve(program: string, ...options: string[]) {
  const child = spawn(process.execPath, [program, '--json', '--port', '0', ...options]);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? 'null');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return { child, next, ended };
}

describe('the published list of receivers', () => {
  it('has unique names, sentences and steps of its own vocabulary', () => {
    const names = receivers.map(({ name }) => name);
    expect(names).to.deep.equal([...new Set(names)]);
    expect(new Set(receivers.map(({ does }) => does)).size).to.equal(names.length);
    const known = ['send', 'flood', 'drip', 'waitMs', 'gzipOfZerosMib', 'close'];
    for (const { name, does, answer, greeting = [], expected } of receivers) {
      expect(name).to.match(/^[a-z0-9.-]+$/);
      expect(does, name).to.match(/^[a-z].*[^.]$/);
      expect(expected.outcome, name).to.match(/^(?:delivered|retry)$/);
      const steps: Step[] = [...answer, ...greeting];
      for (const step of steps)
        expect(
          known.filter((word) => word in step),
          name,
        ).to.have.lengthOf(1);
    }
  });

  it('covers each kind of trouble', () => {
    const counts = Object.entries(Object.groupBy(receivers, ({ kind }) => kind)).map(([kind, of]) => [
      kind,
      of?.length,
    ]);
    for (const [kind, count] of counts) expect(count, String(kind)).to.be.at.least(4);
    expect(Object.fromEntries(counts)).to.include.keys('status', 'interim answers', 'bodies', 'connections', 'TLS');
  });

  it('is served by a program, which counts what arrived', async () => {
    const { child, next, ended } = await serve(PROGRAM, '--only', 'no-content,broken,slow-answer');
    const served = [await next(), await next(), await next()];
    expect(served.map(({ name }) => name)).to.deep.equal(['no-content', 'broken', 'slow-answer']);
    const post = async ({ url }: { url: string }) =>
      (await fetch(url, { method: 'POST', body: '{}', headers: { connection: 'close' } })).status;
    expect([await post(served[0]), await post(served[0]), await post(served[1])]).to.deep.equal([204, 204, 500]);
    child.kill('SIGTERM');
    expect([await next(), await next(), await next()]).to.deep.equal([
      { name: 'no-content', requests: 2, connections: 2, twice: true },
      { name: 'broken', requests: 1, connections: 1, twice: false },
      { name: 'slow-answer', requests: 0, connections: 0, twice: false },
    ]);
    expect(await ended).to.equal(0);
  });

  it('says what was not understood', () => {
    for (const options of [
      ['--only', 'none'],
      ['--prot', '1'],
      ['--port', 'x'],
    ])
      expect(() => execFileSync(process.execPath, [PROGRAM, ...options], { stdio: 'pipe' })).to.throw(/Usage: npm run/);
  });

  it('works from its package, without anything else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'webhook-tools-'));
    try {
      execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: PACKAGE, stdio: 'pipe' });
      execFileSync('tar', ['-xzf', 'tenant-screening-webhook-tools-1.0.0.tgz'], { cwd: folder });
      const { child, next, ended } = await serve(
        join(folder, 'package/receivers/serve.mjs'),
        '--only',
        'continue-unasked',
      );
      expect(await next()).to.include({ name: 'continue-unasked', kind: 'interim answers' });
      child.kill('SIGINT');
      expect(await ended).to.equal(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
