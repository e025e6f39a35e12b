import { expect } from 'chai';
import { cautionLine } from '../../core/reports/in-words.ts';
import { amount } from '../../core/rules/income-in-words.ts';
import { unsealText } from '../../core/secrets/secrets.ts';
import { reportLanguages, reportTextsOf } from '../../core/texts/report-texts.ts';
import { databases, isNightly } from '../../harness/database/dialect.ts';
import { eventually } from '../../harness/process/signals.ts';
import { BankPerson } from '../../harness/service/bank-person.ts';
import { useService } from '../../harness/service/service.ts';
import { findApplicationIncome } from '../../jobs/banking/application-income.ts';
import { findingWords } from '../../jobs/documents/finding-words.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

databases('either');

const IBAN = 'ES91 2100 0418 4502 0005 1332';
const REAL_CENTS = 221_444;
const FORGED_CENTS = 314_444;

/** The words of a payslip, by language. The month is that of the simulated bank's latest full month. */
const words = {
  en: { title: 'Payslip', date: 'Pay date', gross: 'Gross pay', net: 'Net pay', deductions: 'Deductions' },
  es: {
    title: 'Nómina',
    date: 'Fecha de pago',
    gross: 'Total devengado',
    net: 'Líquido a percibir',
    deductions: 'Total a deducir',
  },
  de: {
    title: 'Gehaltsabrechnung',
    date: 'Auszahlung am',
    gross: 'Gesamtbrutto',
    net: 'Auszahlungsbetrag',
    deductions: 'Gesamtabzüge',
  },
  fr: {
    title: 'Bulletin de paie',
    date: 'Date de paiement',
    gross: 'Salaire brut',
    net: 'Net à payer',
    deductions: 'Total des retenues',
  },
  pt: {
    title: 'Recibo de vencimento',
    date: 'Data de pagamento',
    gross: 'Total de abonos',
    net: 'Líquido a receber',
    deductions: 'Total de descontos',
  },
} as const;

type Tongue = keyof typeof words;

const written = (cents: number, language: Tongue) =>
  language === 'en'
    ? amount(cents)
    : amount(cents).replace(/[.,]/g, (sign) => (sign === ',' ? (language === 'fr' ? ' ' : '.') : ','));

function payslip(language: Tongue, cents: number, day: string): Buffer {
  const { title, date, gross, net, deductions } = words[language];
  const [year, month] = day.split('-');
  return sampleDocument([
    'Northern Ferries Ltd',
    `${title} ${month}/${year}`,
    `${date}: 28/${month}/${year}`,
    'Employee: Marta Ruiz',
    `IBAN ${IBAN}`,
    `${gross} ${written(cents + 80_000, language)}`,
    `${deductions} ${written(80_000, language)}`,
    `${net} ${written(cents, language)}`,
  ]);
}

describe('income by a bank', () => {
  const test = useService();
  let serial = 0;

  /** A person who uploads a payslip, is verified, and connects their bank. */
  const applicant = async (content: Buffer, scenario: string) => {
    serial += 1;
    const email = `income-${serial}+kyc-verified@mail.example`;
    const person = await BankPerson.of(test, email);
    const body = new FormData();
    body.append('type', 'payslip');
    body.append('file', new Blob([new Uint8Array(content)]), 'payslip.pdf');
    await fetch(`${test.service.url}${person.link}/documents`, { method: 'POST', body });
    await person.handOver(scenario);
    const { db } = test.service.runtime;
    const tenant = await db('tenants').where({ email }).first();
    await test.alice.ok('initiateKyc', { params: { tenantId: tenant?.id ?? '' } });
    const latest = () =>
      db('forensic_runs')
        .where({ tenant_id: tenant?.id ?? '' })
        .whereNotNull('result')
        .orderBy('finished_at', 'desc')
        .first();
    await eventually('both documents were analysed', async () => (await latest()) !== undefined);
    const run = await latest();
    const result = JSON.parse(unsealText(run?.result ?? '', test.service.runtime.keys.encryption));
    const application = await db('participants').where({ email }).first('application_id');
    const income = await findApplicationIncome(test.service.runtime, application?.application_id ?? '');
    return { result, income };
  };
  /** A month that the bank's period includes with its pay, whatever today is. */
  const lastMonth = () => new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10);
  const outcomeIn = (result: { documents: { name: string; outcome: string }[] }, name: RegExp) =>
    result.documents.find((one) => name.test(one.name))?.outcome;

  // A sandbox each: all five languages run at night.
  for (const language of isNightly ? (['en', 'es', 'de', 'fr', 'pt'] as const) : (['es'] as const))
    it(`contradicts a forged payslip with both values, in ${language}, and not the statement of the bank`, async () => {
      const { result, income } = await applicant(payslip(language, FORGED_CENTS, lastMonth()), 'salary');
      const found = result.cross_checks.find(({ rule }: { rule: string }) => rule === 'net-pay-credited');
      const message = String(found?.findings?.[0]?.message);
      expect(message).to.include(written(FORGED_CENTS, language)).and.include(amount(REAL_CENTS));
      expect(outcomeIn(result, /payslip/)).to.equal('suspicious');
      expect(outcomeIn(result, /bank-statement/)).to.equal('no_finding');
      expect(income.members[0]?.income.monthlyCents).to.equal(REAL_CENTS);
      const cautions = income.members[0]?.income.cautions ?? [];
      expect(cautions.map(({ kind }) => kind)).to.include.members(['suspicious', 'payslip-differs']);
      // Both values in the words of every language in which a landlord reads.
      for (const tag of reportLanguages) {
        const t = reportTextsOf(tag);
        const said = cautions.map((caution) => cautionLine(t, caution)).join('\n');
        expect(said, tag).to.include(t.figure(FORGED_CENTS)).and.include(t.figure(REAL_CENTS));
        expect(said, tag).to.include('payslip.pdf').and.include('Northern Ferries');
        const { text } = findingWords(t, found, found.findings[0]);
        expect(text, tag).to.include(t.text('finding-text.net-pay-credited'));
        expect(text, tag).to.include(written(FORGED_CENTS, language)).and.include(amount(REAL_CENTS));
      }
    });

  it('agrees with a payslip that fits, without a caution', async () => {
    const { result, income } = await applicant(payslip('en', REAL_CENTS, lastMonth()), 'salary');
    expect(outcomeIn(result, /payslip/)).to.not.equal('suspicious');
    expect(income.members[0]?.income).to.deep.include({
      monthlyCents: REAL_CENTS,
      certainty: 'confirmed',
      cautions: [],
    });
  });

  it('names another holder, whose account counts for nothing', async () => {
    const { result, income } = await applicant(payslip('en', REAL_CENTS, lastMonth()), 'other-holder');
    const found = result.cross_checks.find(({ rule }: { rule: string }) => rule === 'one-name');
    expect(String(found?.findings?.[0]?.message)).to.include('Marta Ruiz').and.include('Robin Castell');
    expect(income.members[0]?.income.certainty).to.equal('stated');
  });
});
