import { execFileSync } from 'node:child_process';
import { numbersOf } from '@tenant-screening/forensics-corpus/random.ts';
import { expect } from 'chai';
import { collectGarbage } from '../../../harness/process/collect-garbage.ts';
import { createForensicEngine } from '../analyse.ts';
import type { ForensicEngine, SubmittedDocument } from '../analysis.ts';
import { examineBytes } from '../examine-bytes.ts';
import { encodePng } from '../image/encode-png.ts';
import type { Document } from '../model.ts';
import type { DocumentResult } from '../result.ts';
import { rules } from '../rules/index.ts';
import { confusing, refused } from './fixtures/bombs.ts';
import { pdfOf, stream, text, updated } from './fixtures/pdf.ts';

/** Long enough to compare something. */
const LETTER = 'A letter that confirms to the reader what was agreed with them on the phone.';

const READING = { ocr: false, ocrSeconds: 0 };
const SEED = 20_271;
const MIB = 1024 * 1024;

/** Runs in this process, to check that the analysis never throws and trusts nothing. The tests below cover how a process ends. */
function examine(bytes: Uint8Array): Promise<DocumentResult> {
  return examineBytes('hostile.pdf', bytes, { rules, reading: READING });
}

/** The process ids of the workers that this process has started. */
function workersNow(): string[] {
  const listed = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return listed
    .split('\n')
    .flatMap((line) => (/isolation\/worker\.ts/.test(line) ? (line.trim().split(' ')[0] ?? []) : []));
}

function payslip(): Uint8Array {
  const first = pdfOf([text(50, 50, 'Payslip') + text(50, 70, 'Net pay 1.250,00'), text(50, 50, 'Page two')]);
  return updated(first, { 90: '<< /Author (No one) >>' });
}

describe('a hostile file', () => {
  describe('is refused before any library reads it, with the reason:', () => {
    for (const [name, { bytes, reason }] of Object.entries(refused))
      it(name, async () => {
        const ran: string[] = [];
        const watched = rules.map((rule) => ({
          ...rule,
          run: (document: Document) => {
            ran.push(rule.name);
            return rule.run(document);
          },
        }));
        const result = await examineBytes('hostile.pdf', bytes(), { rules: watched, reading: READING });
        expect(result.outcome).to.equal('inconclusive');
        expect(result.reason).to.match(reason);
        expect(result.checks.map(({ status }) => status)).to.deep.equal(rules.map(() => 'unreadable'));
        expect(ran).to.deep.equal([]);
      });
  });

  describe('ends in a result and accuses no one:', () => {
    for (const [name, bytes] of Object.entries(confusing))
      it(name, async () => {
        const { outcome, checks } = await examine(bytes());
        expect(outcome).to.be.oneOf(['inconclusive', 'no_finding']);
        expect(checks.filter(({ status }) => status === 'error').map(({ rule }) => rule)).to.deep.equal([]);
      });

    it('a file cut short anywhere', async () => {
      const whole = payslip();
      for (let length = 0; length < whole.length; length += 97) {
        const { outcome, checks } = await examine(whole.slice(0, length));
        expect(outcome, `${length} bytes`).to.not.equal('tampered');
        expect(
          checks.filter(({ status }) => status === 'error').map(({ rule }) => rule),
          `${length} bytes`,
        ).to.be.empty;
      }
    });

    it(`300 files with changed bytes (seed ${SEED})`, async () => {
      const random = numbersOf(SEED);
      const picture = encodePng({ width: 24, height: 24, data: new Uint8Array(1728).fill(200) });
      const originals = [payslip(), payslip(), payslip(), picture];
      for (let round = 0; round < 300; round++) {
        const bytes = Buffer.from(originals[round % originals.length] ?? picture);
        for (let change = 0; change < 1 + (round % 20); change++)
          bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
        const { checks } = await examine(bytes);
        expect(
          checks.filter(({ status }) => status === 'error').map(({ rule }) => rule),
          `round ${round}`,
        ).to.be.empty;
      }
    });
  });

  describe('in its own process', () => {
    let engine: ForensicEngine;
    afterEach(() => engine.close());
    const held = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed + process.memoryUsage().external;
    };
    const submitted = (name: string, bytes: Uint8Array, onProgress = () => {}): SubmittedDocument => ({
      id: name,
      name,
      async *read() {
        for (let at = 0; at < bytes.length; at += 65_536) {
          yield bytes.subarray(at, at + 65_536);
          if (at % (4 * MIB) === 0) onProgress();
        }
      },
    });
    const outcomes = async (documents: SubmittedDocument[]) => {
      const { documents: results } = await engine.analyse(documents);
      return results.map(({ document_id, outcome, reason }) => [document_id, outcome, reason ?? null]);
    };

    it('does not affect concurrent documents or the memory of the service', async () => {
      engine = createForensicEngine({ secondsADocument: 30, memoryMib: 1024, parallel: 2 });
      const harmless = pdfOf([text(50, 50, LETTER), text(50, 50, 'Its second page')]);
      const bomb = refused['a bomb in a bomb']?.bytes() ?? new Uint8Array();
      const large = pdfOf([text(50, 50, LETTER)], { 70: stream(' '.repeat(40 * MIB)) });
      await outcomes([submitted('first', harmless)]);
      const before = held();
      let peak = 0;
      const watch = () => {
        peak = Math.max(peak, held());
      };
      const told = await outcomes([
        submitted('letter', harmless),
        submitted('bomb', bomb, watch),
        submitted('large', large, watch),
        submitted('letter again', harmless),
      ]);
      expect(told.map(([name, outcome]) => `${name}: ${outcome}`)).to.deep.equal([
        'letter: no_finding',
        'bomb: inconclusive',
        'large: no_finding',
        'letter again: no_finding',
      ]);
      expect(peak - before).to.be.below(20 * MIB);
    });

    if (process.platform === 'linux')
      it('which reads the next documents of its person too, but none of an issuer', async () => {
        engine = createForensicEngine({ secondsADocument: 30, memoryMib: 1024, parallel: 1 });
        const letter = pdfOf([text(50, 50, LETTER)], { 70: stream(' '.repeat(MIB)) });
        const seen = new Set<string>();
        const watched = (name: string, isFromIssuer: boolean): SubmittedDocument => ({
          id: name,
          name,
          isFromIssuer,
          async *read() {
            let from = 0;
            for (const end of [65_536, 2 * 65_536, letter.length]) {
              // Twice: while a process becomes the worker, `ps` may see no arguments of it.
              if (from > 0) for (const pid of workersNow()) seen.add(pid);
              yield letter.subarray(from, end);
              from = end;
            }
          },
        });
        const processesFor = async (...isFromIssuer: boolean[]) => {
          seen.clear();
          const { documents } = await engine.analyse(isFromIssuer.map((each, index) => watched(String(index), each)));
          expect(documents.map(({ outcome }) => outcome)).to.deep.equal(isFromIssuer.map(() => 'no_finding'));
          return seen.size;
        };
        expect(await processesFor(false, false, false)).to.equal(1);
        expect(await processesFor(false, true, true, false)).to.equal(3);
        seen.clear();
        const drawer = await engine.drawer();
        for (const [index, isFromIssuer] of [false, true, false].entries())
          expect(await drawer.draw(watched(String(index), isFromIssuer), [1])).to.have.length(1);
        drawer.close();
        expect(seen.size).to.equal(2);
      });

    it('is given up when it fails, and the next document is read in a new one', async () => {
      engine = createForensicEngine({ secondsADocument: 30, memoryMib: 180, parallel: 1 });
      const large = pdfOf([text(50, 50, LETTER)], { 70: stream(' '.repeat(60 * MIB)) });
      const letter = pdfOf([text(50, 50, LETTER)]);
      const told = await outcomes([submitted('letter', letter), submitted('large', large), submitted('next', letter)]);
      expect(told.map(([name, outcome]) => `${name}: ${outcome}`)).to.deep.equal([
        'letter: no_finding',
        'large: inconclusive',
        'next: no_finding',
      ]);
    });

    it('is inconclusive with the reason when it takes too much time or memory', async () => {
      engine = createForensicEngine({ secondsADocument: 0.01, memoryMib: 1024, parallel: 1 });
      const letter = submitted('letter', pdfOf([text(50, 50, LETTER)]));
      expect(await outcomes([letter])).to.deep.equal([
        ['letter', 'inconclusive', 'The analysis took more than 0.01 seconds of processor time and was ended.'],
      ]);
      await engine.close();
      engine = createForensicEngine({ secondsADocument: 30, memoryMib: 180, parallel: 1 });
      const large = submitted('large', pdfOf([text(50, 50, LETTER)], { 70: stream(' '.repeat(60 * MIB)) }));
      expect(await outcomes([large])).to.deep.equal([
        ['large', 'inconclusive', 'The analysis needed more than 180 MiB of memory and was ended.'],
      ]);
    });

    it('with unreadable bytes is our fault: the analysis fails, and says why', async () => {
      engine = createForensicEngine({ secondsADocument: 30, memoryMib: 1024, parallel: 1 });
      async function* read(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('%PDF-1.7\n');
        throw new Error('The store is away.');
      }
      const failure = await engine.analyse([{ id: 'one', name: 'one.pdf', read }]).catch(String);
      expect(failure).to.equal('Error: The store is away.');
    });
  });
});
