import { pdfLib } from '@tenant-screening/forensics-corpus/producers/pdf-lib.ts';
import { randomOf } from '@tenant-screening/forensics-corpus/random.ts';
import { applicantOf } from '@tenant-screening/forensics-corpus/sets/applicant.ts';
import { forgeries } from '@tenant-screening/forensics-corpus/sets/forgeries.ts';
import { writtenSet } from '@tenant-screening/forensics-corpus/sets/written.ts';
import { expect } from 'chai';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { useService } from '../../harness/service/service.ts';
import { endless, refused } from '../../packages/forensics/tests/fixtures/bombs.ts';
import { CONSOLE, OperatorBrowser } from './operators.ts';
import { analysed } from './scene.ts';

databases('either');

/** Two payslips of one person, the first with another name: each is consistent on its own. */
async function contradictingPayslips() {
  const seed = 'console';
  const set = applicantOf('de', 'plain', randomOf(seed));
  const forged = forgeries['other-name']?.change(set, randomOf(seed, 'forged')) ?? expect.fail('no such forgery');
  const looks = { payslip: 'statement', statement: 'columns', producer: pdfLib } as const;
  const files = await writtenSet(forged, looks, randomOf(seed, 'files'));
  return { files: files.filter(({ name }) => /^payslip-[12]/.test(name)), names: forged.payslips.map(nameOf) };
}

function nameOf({ employee }: { employee: { family: string } }): string {
  return employee.family;
}

const SETTINGS = { ...CONSOLE, RUN_WORKERS: 'false', FORENSIC_OCR: 'false' };

describe('documents in the console', () => {
  const test = useService(SETTINGS);
  const operator = suiteFixture(() => OperatorBrowser.signIn(test, 'operator'));
  const db = () => test.service.runtime.db;

  it('that contradict each other are shown side by side, with both values and places, and the operator decides', async () => {
    const { id: tenant } = await test.tenant('contradicting@mail.example');
    const { files, names } = await contradictingPayslips();
    const run = await analysed(test, tenant, files);
    const { text } = await operator.open(`/analyses/${run}`);
    const shown = readable(text);
    expect(shown).to.include('Do the documents agree with each other?').and.include('No: 1 contradiction.');
    const card = /<ol class="findings">([\s\S]*?)<\/ol>/.exec(shown)?.[1] ?? expect.fail('no contradiction is shown');
    for (const words of ['payslip-1.pdf', 'payslip-2.pdf', names[0], names[1]]) expect(card).to.include(words);
    const pictures = [...card.matchAll(/<img src="([^"]+)"/g)].map(([, source = '']) => source);
    expect(pictures).to.have.length(2);
    for (const source of pictures) {
      const url = new URL(source, `${operator.base}/analyses/${run}`);
      const picture = await operator.browser.open(url.href);
      expect(picture.text).to.include('data:image/jpeg;base64,').and.include('class="mark');
    }
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(card)?.[1];
    const finding = { document: '', rule: field('rule') ?? '', finding: field('finding') ?? '' };
    expect(field('document')).to.equal('');
    const reason = 'The maiden name.';
    await operator.act(`/analyses/${run}/decide`, { ...finding, decision: 'harmless', reason });
    const [decision] = await db()('finding_decisions').where({ run_id: run });
    expect(decision).to.include({ document_id: null, rule: finding.rule, decision: 'harmless' });
    expect((await operator.open(`/analyses/${run}`)).text).to.include(reason);
  });
});

describe('a hostile file in the console', () => {
  const test = useService({ ...SETTINGS, FORENSIC_SECONDS: '1' });
  const operator = suiteFixture(() => OperatorBrowser.signIn(test, 'operator'));

  const bomb = refused['a bomb in a bomb']?.bytes ?? expect.fail('no bomb');
  for (const [name, bytes] of [
    ['paints without end', endless],
    ['unpacks to far more than it seems', bomb],
  ] as const)
    it(`has its page replaced by an explanation: it ${name}`, async () => {
      const { id: tenant } = await test.tenant(`${name.replaceAll(' ', '-')}@mail.example`);
      const run = await analysed(test, tenant, [{ name: 'hostile.pdf', bytes: bytes() }]);
      expect((await operator.open(`/analyses/${run}`)).text).to.include('hostile.pdf');
      const { status, headers, text } = await operator.browser.open(`${operator.base}/analyses/${run}/picture?page=1`);
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.match(/^image\/svg\+xml/);
      expect(text).to.include('This page could not be drawn').and.not.include('<image');
      expect((await operator.browser.open(`${operator.base}/analyses/${run}/picture?page=2`)).status).to.equal(404);
      expect((await operator.open('/')).status).to.equal(200);
    });
});
