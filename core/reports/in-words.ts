import { readRentRule } from '../rules/affordability.ts';
import type { Income, IncomeCaution, IncomeSource, Outgoing } from '../rules/income-types.ts';
import type { ReportTexts } from '../texts/report-texts.ts';
import type { ReportCheck, ReportContent, ReportDocument, ReportPerson, ReportWords } from './content.ts';

/** The lines of a report in the language of its landlord, for the file and the page alike. */

export type Line = [label: string, value: string];

export function overviewLines(t: ReportTexts, report: ReportContent): Line[] {
  const { application, property } = report;
  return [
    [t.text('report.application'), application.title || application.id],
    [t.text('report.property'), property ?? t.text('report.no-property')],
    ...moneyLines(t, report),
  ];
}

export type Money = Pick<
  ReportContent,
  'rentCents' | 'incomeCents' | 'sharePercent' | 'guarantorCents' | 'rule' | 'isMet'
>;

/** The income of the applicants, compared with the rent. */
export function moneyLines(t: ReportTexts, report: Money): Line[] {
  const { rentCents, incomeCents, sharePercent, guarantorCents } = report;
  const figure = (cents: number | null) => (cents === null ? t.text('report.unknown') : t.figure(cents));
  return [
    [t.text('report.rent'), figure(rentCents)],
    [t.text('report.income'), figure(incomeCents)],
    ...(sharePercent === null ? [] : [[t.text('report.share'), t.percent(sharePercent)] satisfies Line]),
    ...(report.rule === null ? [] : [[t.text('report.rule'), ruleLine(t, report)] satisfies Line]),
    ...(guarantorCents === null ? [] : [[t.text('report.guarantors'), figure(guarantorCents)] satisfies Line]),
  ];
}

function ruleLine(t: ReportTexts, { rule, isMet }: Money): string {
  const read = readRentRule(rule ?? '');
  const asks =
    read === undefined
      ? (rule ?? '')
      : read.kind === 'share'
        ? t.text('report.rule-share', { share: t.percent(read.percent) })
        : t.text('report.rule-multiple', { times: t.number(read.times) });
  const state = isMet === null ? 'report.rule-open' : isMet ? 'report.rule-met' : 'report.rule-not-met';
  return `${asks}: ${t.text(state)}`;
}

/** The heading of a person. */
export function personHeading(
  t: ReportTexts,
  { name, email, isLead, isGuarantor }: Pick<ReportPerson, 'name' | 'email' | 'isLead' | 'isGuarantor'>,
): string {
  const roles = [isLead ? t.text('report.lead') : '', isGuarantor ? t.text('report.guarantor') : ''].filter(Boolean);
  return [name || email, ...(roles.length > 0 ? [roles.join(', ')] : [])].join(' · ');
}

export function personLines(t: ReportTexts, person: ReportPerson): Line[] {
  const checkOf = (kind: ReportCheck['kind']) => person.checks.find((check) => check.kind === kind);
  return [
    [t.text('report.email'), person.email],
    [t.text('report.consent'), t.text(`report.consent-${person.consent}`)],
    [t.text('report.kyc'), checkLine(t, checkOf('kyc'))],
    [t.text('report.eid'), checkLine(t, checkOf('eid'))],
    [t.text('report.income'), incomeFigure(t, person.income)],
  ];
}

function checkLine(t: ReportTexts, check: ReportCheck | undefined): string {
  if (!check) return t.text('report.check-none');
  const { status, at, provider } = check;
  if (status === 'verified' || status === 'succeeded')
    return t.text('report.check-done', { at: new Date(at ?? 0), provider });
  const isOpen = status === 'pending' || status === 'downloading';
  return t.text(isOpen ? 'report.check-open' : 'report.check-ended');
}

export function incomeFigure(t: ReportTexts, { monthlyCents, certainty, sources }: Income): string {
  if (monthlyCents === undefined) return t.text('report.unknown');
  if (sources.length === 0 || certainty === undefined) return t.text('report.nothing-seen');
  return `${t.figure(monthlyCents)} (${t.text(`report.certainty-${certainty}`)})`;
}

/** Each source and each regular payment. */
export function incomeLines(t: ReportTexts, { sources, outgoings }: Income): string[] {
  return [...sources.map((source) => sourceLine(t, source)), ...outgoings.map((outgoing) => outgoingLine(t, outgoing))];
}

function sourceLine(t: ReportTexts, source: IncomeSource): string {
  const { kind, payer, monthlyCents, months, isRegular, rhythm, from, certainty } = source;
  const amount = t.figure(monthlyCents);
  const about = [
    t.text(`report.kind-${kind}`),
    t.text(`report.from-${from}`),
    t.text('report.months', { count: months.length }),
    t.text(isRegular ? 'report.regular' : 'report.varies'),
    ...(rhythm ? [t.text(`report.paid-${rhythm}`)] : []),
    t.text(`report.certainty-${certainty}`),
  ];
  const line = t.text('report.source-line', { amount, payer: payer || t.text('report.payer-unknown') });
  return `${line} (${about.join(', ')})`;
}

function outgoingLine(t: ReportTexts, { kind, monthlyCents, payee }: Outgoing): string {
  return t.text(`report.pays-${kind}`, { amount: t.figure(monthlyCents), payee });
}

/** What a person who decides should know beside the figures, both values of a contradiction included. */
export function cautionLine(t: ReportTexts, caution: IncomeCaution): string {
  switch (caution.kind) {
    case 'tampered':
    case 'suspicious':
    case 'unread':
      return t.text(`report.caution-${caution.kind}`, { document: caution.document });
    case 'other-holder':
    case 'joint':
      return t.text(`report.caution-${caution.kind}`, { holder: caution.holder || t.text('report.unknown') });
    case 'overdrawn':
    case 'cut':
      return t.text(`report.caution-${caution.kind}`);
    case 'other-currency':
      return t.text('report.caution-currency', { currency: caution.currency });
    case 'tax-only':
      return t.text('report.caution-tax-only', { year: caution.year || t.text('report.unknown') });
    case 'no-usual-pay':
      return t.text('report.caution-no-usual-pay', { payer: caution.payer || t.text('report.payer-unknown') });
    case 'payslip-differs':
      return t.text('report.caution-payslip-differs', {
        payer: caution.payer || t.text('report.payer-unknown'),
        payslip: t.figure(caution.payslipCents),
        bank: t.figure(caution.bankCents),
      });
  }
}

/** What the documents of a person say against each other. */
export function contradictionLines(t: ReportTexts, { contradictions, analysedAt }: ReportPerson): ReportWords[] {
  if (contradictions.length === 0)
    return [{ message: t.text(analysedAt === null ? 'report.not-compared' : 'report.no-contradictions') }];
  return contradictions.map(({ title, message, documents, ...words }) => {
    return { ...words, message: `${title}: ${message} (${documents.join(', ')})` };
  });
}

/** Whether a check found anything about a person: its own words are in English. */
export function hasEnglish({ documents, contradictions }: ReportPerson): boolean {
  return contradictions.length > 0 || documents.some(({ findings, reason }) => findings.length > 0 || reason !== null);
}

/** How a document came. */
export function givenLine(t: ReportTexts, { source, addedAt }: ReportDocument): string {
  return t.text(`report.given-${source}`, { at: new Date(addedAt) });
}

export function uncheckedLines(t: ReportTexts, { unchecked }: ReportPerson): string[] {
  return [...unchecked.map((kind) => t.text(`report.unchecked-${kind}`)), t.text('report.unchecked-never')];
}

/** The text in the place of a picture. */
export function pictureLine(
  t: ReportTexts,
  document: ReportDocument,
  picture: ReportDocument['pictures'][number],
): string {
  const numbers = [...new Set(picture.marks.map(({ number }) => number))].sort((one, other) => one - other);
  const values = { document: document.name, page: picture.page };
  return numbers.length === 0
    ? t.text('report.page-of', values)
    : t.text('report.page-marked', { ...values, numbers: t.list(numbers.map(String)) });
}
