import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { until } from '../../../harness/process/until.ts';
import { cpuSeconds } from '../cpu-time.ts';
import { type Child, startChild } from '../isolation/child.ts';
import { createFrameReader, type Frame, frameBytes, Malformed } from '../isolation/frames.ts';
import { NICENESS, type Program, sandboxed } from '../isolation/sandbox.ts';
import { sanitizeMessage } from '../isolation/sanitize.ts';
import { type Ending, supervise } from '../isolation/supervise.ts';

const PROGRAMS = resolve('packages/forensics/tests/programs');
const READABLE = [`${PROGRAMS}/`, resolve('packages/forensics/isolation'), resolve('package.json')];
const MIB = 1024 * 1024;

function program(name: string, settings: Partial<Program> = {}): Program {
  const file = join(PROGRAMS, `${name}.ts`);
  return { file, arguments: [], readable: READABLE, addons: false, heapMib: 64, cpuSeconds: 60, ...settings };
}

interface Exchange {
  child: Child;
  ending: Ending;
  frames: Frame[];
}

/** Gives a program one task, and waits for its first message after the one that it is ready. */
async function talk(
  started: Program,
  header: object = {},
  pieces: readonly Uint8Array[] = [],
  limits = { seconds: 20, memoryMib: 1024 },
): Promise<Exchange> {
  const child = await startChild(started);
  const frames: Frame[] = [];
  async function* bytes() {
    yield* pieces;
  }
  const ending = await supervise(child, { header, bytes: bytes() }, limits, (frame) => {
    frames.push(frame);
    return !('is' in Object(frame.header));
  });
  return { child, ending, frames };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a sandboxed process', () => {
  before(() => {
    process.env['FORENSIC_TEST_SECRET'] = 'only the service knows';
  });
  after(() => {
    delete process.env['FORENSIC_TEST_SECRET'];
  });

  it('gets only options that Node documents, which are those that NODE_OPTIONS accepts', async () => {
    const started = program('counting', { addons: true, codeCache: tmpdir() });
    const { line } = await sandboxed(started);
    const options = line.slice(line.indexOf(process.execPath) + 1, line.indexOf(started.file));
    const names = options.map((option) => option.replace(/=.*/s, ''));
    expect(names).to.include.members(['--permission', '--max-old-space-size']);
    expect(names.filter((name) => !process.allowedNodeEnvironmentFlags.has(name))).to.deep.equal([]);
  });

  it('leaves the processor to the service, for whose answers callers wait', async () => {
    const child = await startChild(program('endless'));
    const ofChild = () => getPriority(child.pid);
    await until('it has a lower priority', () => ofChild() > getPriority());
    expect(ofChild() - getPriority()).to.equal(NICENESS);
    child.kill();
    await child.gone;
  });

  it('reads all bytes of its input, and exits once it has answered', async () => {
    const { child, ending, frames } = await talk(program('counting'), { name: 'größe.pdf' }, [
      Buffer.from('%PDF'),
      Buffer.alloc(3 * MIB, 7),
    ]);
    expect(ending).to.equal('finished');
    expect(frames[1]?.header).to.deep.equal({ header: { name: 'größe.pdf' }, bytes: 3 * MIB + 4 });
    expect(Buffer.from(frames[1]?.body ?? []).toString()).to.equal('%PDF');
    await child.ended;
    expect(isAlive(child.pid)).to.equal(false);
  });

  describe('has no known escape', () => {
    const secret = resolve('package-lock.json');
    const reported = (frames: readonly Frame[]) => Object(frames.at(-1)?.header);

    it('to the network, to other processes, to files, or to code from strings', async () => {
      const { frames } = await talk(program('breaking-out'), { secret });
      expect(reported(frames).open).to.deep.equal([]);
      expect(reported(frames).tried).to.be.above(100);
    });

    it('even with native code for pictures and a compile cache', async () => {
      const cache = await mkdtemp(join(tmpdir(), 'screening-code-'));
      const breakingOut = program('breaking-out', { addons: true, codeCache: cache });
      const { child, frames } = await talk(breakingOut, { secret, cache });
      expect(reported(frames).open).to.deep.equal([]);
      // Node makes folders in the cache until it ends.
      child.kill();
      await child.ended;
      await rm(cache, { recursive: true });
    });

    it('whereas nearly all of these work without the sandbox', async () => {
      const plain = spawn(process.execPath, ['--no-warnings', program('breaking-out').file], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      plain.stdin.end(`${JSON.stringify({ secret })}\n`);
      const frames: Frame[] = [];
      const read = createFrameReader();
      plain.stdout.on('data', (piece: Uint8Array) => frames.push(...read(piece)));
      await once(plain, 'close');
      await rm(join(tmpdir(), 'hostile-file-of-a-test'), { force: true });
      const { open, tried } = reported(frames);
      expect(open.length).to.be.above(0.8 * tried);
    });

    it('including writes to the compile cache', async () => {
      const cache = await mkdtemp(join(tmpdir(), 'screening-code-'));
      const file = join(cache, 'compiled');
      const { ending } = await talk(program('writing', { codeCache: cache }), { file });
      expect(ending).to.equal('crashed');
      expect(await readFile(file, 'utf8').catch(() => '')).to.equal('');
      await rm(cache, { recursive: true });
    });
  });

  describe('is killed', () => {
    it('after the time limit', async () => {
      const { child, ending } = await talk(program('endless'), {}, [], { seconds: 0.2, memoryMib: 1024 });
      expect(ending).to.equal('too slow');
      expect(await child.ended).to.deep.equal({ signal: 'SIGKILL' });
    });

    it('by the kernel at its CPU time limit', async () => {
      expect((await talk(program('endless', { cpuSeconds: 1 }))).ending).to.equal('too slow');
    });

    it('at the memory limit, outside V8’s heap or in it', async () => {
      const limits = { seconds: 20, memoryMib: 300 };
      expect((await talk(program('hungry'), { where: 'buffers' }, [], limits)).ending).to.equal('too much memory');
      expect((await talk(program('hungry'), { where: 'heap' }, [], limits)).ending).to.equal('too much memory');
    });

    it('when it violates the protocol, and the host keeps nothing of that', async () => {
      const before = process.memoryUsage.rss();
      const flood = await talk(program('babbling'), {}, [Buffer.alloc(MIB, 0xff)]);
      expect(flood.ending).to.equal('malformed');
      const empty = await talk(program('babbling'), {}, [frameBytes({ is: 'chatter' }, new Uint8Array(MIB))]);
      expect(empty.ending).to.equal('malformed');
      expect(empty.frames.length).to.be.below(200);
      expect(process.memoryUsage.rss() - before).to.be.below(400 * MIB);
    });

    it('when the stream of its document fails', async () => {
      const child = await startChild(program('counting'));
      async function* bytes() {
        yield Buffer.from('%PDF');
        throw new Error('The store is away.');
      }
      const conversation = supervise(
        child,
        { header: {}, bytes: bytes() },
        { seconds: 9, memoryMib: 900 },
        () => false,
      );
      expect(await conversation.catch(String)).to.equal('Error: The store is away.');
      expect(await child.ended).to.deep.equal({ signal: 'SIGKILL' });
    });

    if (process.platform === 'linux')
      it('with the host, even when the host is killed, whether idle or busy', async () => {
        const files = ['counting', 'endless'].map((name) => program(name).file).join(',');
        const parent = spawn(process.execPath, [program('parent').file, files, READABLE.join(','), '600']);
        let text = '';
        parent.stdout.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        const pids = await until('both programs work', async () => {
          const said = text.trim().split('\n').map(Number);
          return said.length === 2 && said;
        });
        expect(pids.map(isAlive)).to.deep.equal([true, true]);
        parent.kill('SIGKILL');
        await until('both are gone', async () => !pids.some(isAlive));
      });
  });

  it('that crashes keeps its earlier frames; one that never started is not blamed on the document', async () => {
    const { ending, frames } = await talk(program('dying'));
    expect(ending).to.equal('crashed');
    expect(frames.map(({ header }) => header)).to.deep.equal([{ is: 'ready' }, { is: 'halfway' }]);
    const absent = await talk(program('absent'));
    expect(absent.ending).to.equal('not started');
    expect(absent.child.errorOutput()).to.include('absent.ts');
  });
});

describe('frames', () => {
  const frames = [frameBytes({ is: 'check' }), frameBytes({ text: 'ä' }, Uint8Array.of(1, 2, 3)), frameBytes([])];
  const expected = [
    { header: { is: 'check' }, body: new Uint8Array() },
    { header: { text: 'ä' }, body: Uint8Array.of(1, 2, 3) },
    { header: [], body: new Uint8Array() },
  ];

  it('are the same however the stream is split', () => {
    const whole = Buffer.concat(frames);
    for (let length = 1; length <= whole.length; length++) {
      const read = createFrameReader();
      const seen: Frame[] = [];
      for (let at = 0; at < whole.length; at += length) seen.push(...read(whole.subarray(at, at + length)));
      expect(seen, `pieces of ${length}`).to.deep.equal(expected);
    }
  });

  it('are parsed in linear time', () => {
    const many = Buffer.concat(new Array(30_000).fill(frameBytes({})));
    const startedAt = cpuSeconds();
    expect(createFrameReader()(many)).to.have.length(30_000);
    expect(cpuSeconds() - startedAt).to.be.below(2);
  });

  it('are refused with a number that overflows to Infinity', () => {
    const pages = (number: string) => ({ header: JSON.parse(`{"is":"opened","facts":{"pages":${number}}}`), body });
    const body = new Uint8Array();
    expect(sanitizeMessage(pages('2'))).to.deep.equal({ is: 'opened', facts: { pages: 2 } });
    expect(() => sanitizeMessage(pages('1e999'))).to.throw(Malformed);
  });

  it('are refused when they claim a huge length or are not JSON', () => {
    const claimed = (header: number, body: number) => {
      const lengths = Buffer.alloc(8);
      lengths.writeUInt32BE(header, 0);
      lengths.writeUInt32BE(body, 4);
      return lengths;
    };
    expect(() => createFrameReader()(claimed(2 ** 31, 0))).to.throw(Malformed);
    expect(() => createFrameReader()(claimed(0, 2 ** 31))).to.throw(Malformed);
    expect(() => createFrameReader()(Buffer.concat([claimed(2, 0), Buffer.from('{]')]))).to.throw(Malformed);
  });
});
