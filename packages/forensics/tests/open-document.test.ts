import { qpdf } from '@tenant-screening/forensics-corpus/producers/qpdf.ts';
import { expect } from 'chai';
import { conclude as concludeWith, substanceIn } from '../conclude.ts';
import { examineBytes } from '../examine-bytes.ts';
import { encodePng } from '../image/encode-png.ts';
import { Unreadable } from '../model.ts';
import { type Opened, openDocument } from '../open-document.ts';
import type { Check } from '../result.ts';
import { type Rule, verdictOf } from '../rule.ts';
import { rules } from '../rules/index.ts';
import { objectsOf, pdfOf, picture, text } from './fixtures/pdf.ts';
import { source, stating } from './fixtures/pdf-source.ts';
import { withExif } from './fixtures/picture-files.ts';
import { jpeg, pixelsOfSvg } from './fixtures/pictures.ts';

const WITHOUT_READING = { ocr: false, ocrSeconds: 0 };
const SCAN = picture(0, 0, 595, 842);

async function opened(bytes: Uint8Array, reading = WITHOUT_READING) {
  const { document, ...rest }: Opened = await openDocument('file', bytes, reading);
  if (document === undefined) throw new Error(`It was not opened: ${rest.unreadable}`);
  return { document, ...rest };
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('It was read.'),
    (thrown) => thrown,
  );
  expect(error).to.be.instanceOf(Unreadable);
  return error.message;
}

describe('a document', () => {
  it('is identified by its bytes, whatever its name, and has the facts of its file', async () => {
    const { document, facts } = await opened(
      stating({ Producer: 'Writer 7.6', Creator: 'Payroll', CreationDate: "D:20260201101500+01'00'" }),
    );
    expect(document.kind).to.equal('pdf');
    expect(facts).to.deep.include({ kind: 'pdf', pages: 1, producer: 'Writer 7.6', creator: 'Payroll' });
    expect(facts.created_at).to.equal('2026-02-01T09:15:00Z');
    expect(facts.sha256).to.match(/^[0-9a-f]{64}$/);
    expect((await opened(encodePng({ width: 30, height: 20, data: new Uint8Array(1800) }))).facts).to.deep.include({
      kind: 'png',
      width: 30,
      height: 20,
    });
  });

  it('with digital text has its pages as text, none to be read from a picture, and can be drawn at any scale', async () => {
    const { document, unreadable } = await opened(pdfOf([text(50, 60, 'Net pay 1.250,00'), text(50, 60, 'Two')]));
    expect(unreadable).to.equal(undefined);
    expect((await document.pages()).map(({ items }) => items.map((item) => item.text).join(' '))).to.deep.equal([
      'Net pay 1.250,00',
      'Two',
    ]);
    expect(await document.pages()).to.equal(await document.pages());
    expect(await document.pagesRead()).to.deep.equal([]);
    const { width, height, data } = await document.pixels(2, 0.5);
    expect([width, height, data.length]).to.deep.equal([297, 421, 297 * 421 * 3]);
    expect(data.some((value) => value < 128)).to.equal(true);
    expect(await refusal(document.pixels(3))).to.equal('The file has no page 3.');
    expect(await refusal(document.pixels(1, 100))).to.equal('Page 1 is too large to be drawn.');
  });

  it('without digital text is reported as such; a page number beside a scan does not count as text', async () => {
    expect((await opened(pdfOf([SCAN, SCAN]))).unreadable).to.include('pictures without digital text');
    expect((await opened(pdfOf(['0 0 9 9 re f']))).unreadable).to.equal('The pages have no text.');
    expect((await opened(pdfOf([SCAN + text(290, 820, '1')]))).unreadable).to.include('without digital text');
    expect((await opened(pdfOf([text(290, 820, '1')]))).unreadable).to.equal(undefined);
    const { document } = await opened(pdfOf([SCAN + text(290, 820, '1'), text(50, 60, 'A page of digital text')]));
    expect(await refusal(document.pagesRead())).to.equal('Reading text from pictures is switched off.');
  });

  it('that is encrypted is examined when it opens without a password, and otherwise not', async () => {
    const plain = source({ objects: objectsOf([text(50, 60, 'Net pay 1.250,00')]) });
    const open = await opened(await qpdf(plain, ['--encrypt', '', 'owner', '256', '--modify=none', '--']));
    expect(open.unreadable).to.equal(undefined);
    expect((await open.document.pages())[0]?.lines[0]?.text).to.equal('Net pay 1.250,00');
    const locked = await qpdf(plain, ['--encrypt', 'secret', 'owner', '256', '--']);
    const result = await examineBytes('locked.pdf', locked, { rules, reading: WITHOUT_READING });
    expect(result.outcome).to.equal('inconclusive');
    expect(result.reason).to.match(/encrypted|password/);
  });

  it('that is damaged is inconclusive, and still examined with our own reader', async () => {
    const result = await examineBytes('x.pdf', Buffer.from('%PDF-1.7\nnothing'), { rules, reading: WITHOUT_READING });
    expect(result).to.include({ outcome: 'inconclusive', reason: 'The file is damaged and cannot be read as a PDF.' });
  });

  it('that is a photo is turned upright, and its text is read', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="160"><rect width="600" height="160" fill="white"/>
      <text x="30" y="100" font-family="sans-serif" font-size="60">Total 4711</text></svg>`;
    const photo = await jpeg(await pixelsOfSvg(svg), 92);
    const turned = withExif(photo, { make: 'Maker', orientation: 6 });
    const { width, height } = await (await opened(turned)).document.pixels();
    expect([width, height]).to.deep.equal([160, 600]);
    const { document } = await opened(photo, { ocr: true, ocrSeconds: 60 });
    const [page] = await document.pagesRead();
    expect(page?.lines.map((line) => line.text).join(' ')).to.include('4711');
    expect(await document.pages()).to.deep.equal([]);
  });
});

describe('an outcome', () => {
  const rule: Rule = {
    name: 'iban-check-digits',
    version: 1,
    title: 'Any rule',
    strength: 'medium',
    family: 'image',
    substance: true,
    appliesTo: ['pdf'],
    run: () => verdictOf([], { count: 1, what: 'thing' }),
  };
  const check = (status: Check['status'], more: Partial<Check> = {}): Check => ({
    ...{ rule: rule.name, version: 1, title: 'Any rule', strength: 'medium', family: 'image' },
    status,
    ...more,
  });
  const conclude = (checks: readonly Check[], unreadable: string | undefined) =>
    concludeWith(checks, unreadable, substanceIn([rule, ...rules]));
  const finding = (strength: 'strong' | 'medium' | 'context') =>
    check('finding', { strength, findings: [{ message: 'Seen.', strength, evidence: [] }] });

  it('says that nothing was found only when something was examined', () => {
    expect(conclude([check('passed')], undefined)).to.deep.equal({ outcome: 'no_finding' });
    expect(conclude([check('not_applicable'), check('passed', { strength: 'context' })], undefined).outcome).to.equal(
      'inconclusive',
    );
    expect(conclude([], undefined).outcome).to.equal('inconclusive');
    expect(conclude([check('passed', { rule: 'seen-elsewhere' })], undefined).outcome).to.equal('inconclusive');
    expect(conclude([check('passed', { rule: 'known-editor' })], undefined).outcome).to.equal('inconclusive');
    const unreadable = check('unreadable', { strength: 'strong', family: 'structure', reason: 'It is garbled.' });
    expect(conclude([check('passed'), unreadable], undefined)).to.deep.equal({
      outcome: 'inconclusive',
      reason: '“Any rule” could not be checked: It is garbled.',
    });
    expect(conclude([check('passed'), { ...unreadable, family: 'content' }], undefined).outcome).to.equal('no_finding');
  });

  it('is inconclusive when a rule fails, because a file may be crafted for that', async () => {
    const run = () => {
      throw new Error('It stumbled.');
    };
    const bytes = pdfOf([text(50, 60, 'Net pay 1.250,00')]);
    const { outcome, reason } = await examineBytes('x.pdf', bytes, { rules: [rule, { ...rule, run }] });
    expect([outcome, reason]).to.deep.equal(['inconclusive', 'The check “Any rule” failed on this file.']);
  });

  it('counts findings in a file that could not be examined completely', () => {
    expect(conclude([finding('strong')], 'It is damaged.')).to.deep.equal({ outcome: 'tampered' });
    expect(conclude([finding('medium')], 'It is damaged.')).to.deep.equal({ outcome: 'suspicious' });
    expect(conclude([finding('context')], 'It is damaged.')).to.deep.equal({
      outcome: 'inconclusive',
      reason: 'It is damaged.',
    });
  });
});
