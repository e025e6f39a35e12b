import { createForensicEngine } from '@tenant-screening/forensics/analyse';
import { compareDocuments } from '@tenant-screening/forensics/compare';
import { openDocument } from '@tenant-screening/forensics/open-document';
import { papersIn } from '@tenant-screening/forensics/papers';
import { expect } from 'chai';
import { locales, tags } from '../../data/locale.ts';
import { payslipLayouts } from '../../layouts/payslips.ts';
import { statementLayouts } from '../../layouts/statements.ts';
import { pdfLib } from '../../producers/pdf-lib.ts';
import { pdfkitEmbedded } from '../../producers/pdfkit.ts';
import { randomOf } from '../../random.ts';
import { type Applicant, applicantOf, circumstances } from '../../sets/applicant.ts';
import { forgeries } from '../../sets/forgeries.ts';
import { type Looks, writtenSet } from '../../sets/written.ts';

const SEED = 'sets';

/** All findings of the cross-document checks in the files of a set. */
async function findingsIn(set: Applicant, looks: Looks) {
  const papers = [];
  for (const { name, bytes } of await writtenSet(set, looks, randomOf(SEED, 'files'))) {
    const { document } = await openDocument(name, bytes);
    const found = document ? await papersIn(document) : [];
    papers.push(...found.map((paper) => ({ ...paper, document_id: name, name })));
  }
  const checks = compareDocuments(papers);
  const findings = checks.flatMap(({ rule, findings = [] }) => findings.map((finding) => ({ rule, ...finding })));
  return { ran: checks.filter(({ status }) => status !== 'not_applicable').map(({ rule }) => rule), findings };
}

function looksOf(tag: (typeof tags)[number], index: number): Looks {
  const fits = (layout: string) => locales[tag].western || !['mainframe', 'suffix', 'form'].includes(layout);
  const take = <Name extends string>(layouts: readonly [Name, ...Name[]]): Name => {
    const fitting = layouts.filter(fits);
    return fitting[index % fitting.length] ?? fitting[0] ?? layouts[0];
  };
  return { payslip: take(payslipLayouts), statement: take(statementLayouts), producer: producerOf(tag) };
}

function producerOf(tag: (typeof tags)[number]): Looks['producer'] {
  return locales[tag].western ? pdfLib : pdfkitEmbedded;
}

describe('the checks across the documents of one applicant', () => {
  for (const [index, how] of circumstances.entries())
    it(`find no contradiction in honest documents: ${how}`, async () => {
      for (const [number, tag] of tags.entries()) {
        // Each circumstance in three languages, each language in many circumstances.
        if ((number + index) % 3 !== 0) continue;
        const set = applicantOf(tag, how, randomOf(SEED, how, tag));
        const { ran, findings } = await findingsIn(set, looksOf(tag, index + number));
        const alarms = findings.filter(({ strength, rule }) => strength !== 'context' || rule !== 'one-address');
        expect(
          alarms.map(({ message }) => message),
          tag,
        ).to.deep.equal([]);
        expect(ran, tag).to.include('one-name').and.include('one-identity');
      }
    });

  it('find each forged value, and show both places', async () => {
    for (const tag of ['de', 'fr', 'pl'] as const)
      for (const [name, { change, seenBy }] of Object.entries(forgeries)) {
        const honest = applicantOf(tag, 'plain', randomOf(SEED, 'forged', tag));
        const employer = employers[tag];
        const named = { ...honest, payslips: honest.payslips.map((one) => ({ ...one, employer })) };
        // The statements name the employer of the unmodified payslip.
        const set = { ...named, statements: renamed(honest, employer) };
        const looks: Looks = { payslip: 'statement', statement: 'columns', producer: producerOf(tag) };
        const { findings } = await findingsIn(change(set, randomOf(SEED, name, tag)), looks);
        const found = findings.find(({ rule, strength }) => seenBy.includes(rule) && strength !== 'context');
        expect(found, `${name} in ${tag}`).to.not.equal(undefined);
        expect(found?.evidence.length, name).to.be.at.least(2);
        for (const { document_id, box, page } of found?.evidence ?? []) {
          expect(document_id, name).to.match(/\.pdf$/);
          expect([page, box?.width], name).to.satisfy((place: number[]) => place.every((value) => value > 0));
        }
      }
  });

  it('reach the result: who contradicts whom, in the checks and at the documents', async () => {
    const random = randomOf(SEED, 'engine');
    const set = forgeries['every-net-higher']?.change(applicantOf('de', 'plain', random), random);
    const looks: Looks = { payslip: 'list', statement: 'columns', producer: pdfLib };
    const files = set ? await writtenSet(set, looks, random) : [];
    const engine = createForensicEngine({ ocr: false });
    const submitted = files
      .filter(({ name }) => /^(?:payslip-1|statement-[12])/.test(name))
      .map(({ name, bytes }) => ({
        id: `id of ${name}`,
        name,
        read: async function* () {
          yield bytes;
        },
      }));
    const reported = new Map<string, string>();
    const { documents, cross_checks } = await engine.analyse(submitted, {
      onDocument: ({ name, outcome }) => void reported.set(name, outcome),
    });
    await engine.close();
    const found = cross_checks.find(({ rule }) => rule === 'net-pay-credited');
    expect(found).to.include({ status: 'finding', strength: 'medium', family: 'content' });
    expect(found?.findings?.[0]?.evidence.map(({ document_id }) => document_id)).to.deep.equal([
      'id of payslip-1.pdf',
      'id of statement-1.pdf',
    ]);
    const told = documents.map(({ name, outcome, contradicts = [] }) => [name, outcome, contradicts]);
    expect(told).to.deep.equal([
      ['payslip-1.pdf', 'suspicious', ['id of statement-1.pdf']],
      ['statement-1.pdf', 'suspicious', ['id of payslip-1.pdf']],
      ['statement-2.pdf', 'no_finding', []],
    ]);
    // Logs and metrics count what callers get.
    expect([...reported]).to.deep.equal(documents.map(({ name, outcome }) => [name, outcome]));
    expect(JSON.stringify(documents)).to.not.include('"papers"');
  });
});

const employers = {
  de: 'Nordlicht Logistik GmbH',
  es: 'Transportes Ebro S.A.',
  fr: 'Ateliers Renard SAS',
  it: 'Officine Marchetti S.p.A.',
  pl: 'Transport Odra S.A.',
};

function renamed({ statements, payslips }: Applicant, employer: string): Applicant['statements'] {
  const [before = ''] = payslips.map((one) => one.employer);
  return statements.map((one) => ({
    ...one,
    movements: one.movements.map((movement) => ({
      ...movement,
      text: movement.text.map((text) => text.replace(before, employer)),
    })),
  }));
}
