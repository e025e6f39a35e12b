import type { BankStatement } from './bank-statement.ts';
import { bankIncome } from './income-bank.ts';
import { statementIncome, taxIncome } from './income-documents.ts';
import type { IncomePaper } from './income-papers.ts';
import { payslipIncome } from './income-payslips.ts';
import type { Certainty, Income, IncomeCaution, IncomeSource } from './income-types.ts';

/** A document of the person, and what its analysis concluded. */
export interface IncomeDocument {
  document_id: string;
  name: string;
  outcome: 'tampered' | 'suspicious' | 'inconclusive' | 'no_finding' | undefined;
  /** Drawn from what a bank sent, which is known in full. */
  isFromBank: boolean;
}

export interface Known {
  /** The person's name in the application. */
  name: string;
  statements: readonly BankStatement[];
  documents: readonly IncomeDocument[];
  papers: readonly IncomePaper[];
}

const SURE: readonly Certainty[] = ['confirmed', 'likely', 'stated'];

/**
 * A person's income by the best source: what a bank sent; else uploaded statements; else payslips; else a tax assessment. Sources of a lower rank are never
 * added, because they show the same pay. Nothing of a document found tampered counts, and each such document is named.
 */
export function incomeOf({ name, statements, documents, papers }: Known): Income {
  const cautions: IncomeCaution[] = documents.flatMap(({ outcome, name: document }) =>
    outcome === 'tampered' || outcome === 'suspicious' ? [{ kind: outcome, document }] : [],
  );
  const usable = new Map(documents.map((one) => [one.document_id, one]));
  const trusted = papers.filter(({ document_id }) => {
    const document = usable.get(document_id);
    return document !== undefined && document.outcome !== 'tampered' && !document.isFromBank;
  });
  const { sources: payslips, cautions: unusual } = payslipIncome(trusted);
  const bank = bankIncome(statements, name, payslips);
  const uploaded = statementIncome(trusted, payslips);
  const isByBank = bank.isKnown || bank.sources.length > 0;
  const read = [uploaded, payslips].find((sources) => sources.length > 0);
  const tax = isByBank || read ? undefined : taxIncome(trusted);
  const sources = isByBank ? bank.sources : (read ?? (tax ? [tax.source] : []));
  const open = isByBank || uploaded.length > 0 ? [] : unusual;
  const differences = isByBank ? payslips.flatMap((payslip) => differs(payslip, bank.sources)) : [];
  return {
    monthlyCents: sources.length > 0 || isByBank ? sum(sources) : undefined,
    certainty: SURE.findLast((one) => sources.some(({ certainty }) => certainty === one)),
    sources,
    outgoings: bank.outgoings,
    cautions: [...cautions, ...bank.cautions, ...open, ...differences, ...(tax ? [taxOnly(tax)] : [])],
  };
}

function sum(sources: readonly IncomeSource[]): number {
  return sources.reduce((cents, { monthlyCents }) => cents + monthlyCents, 0);
}

function taxOnly({ year }: { year: string }): IncomeCaution {
  return { kind: 'tax-only', year };
}

/** Payslips may round, or leave out what is paid beside the pay. */
const MAX_DIFFERENCE = 0.02;

function differs(payslip: IncomeSource, bank: readonly IncomeSource[]): IncomeCaution[] {
  const salaries = bank.filter(({ kind }) => kind === 'salary');
  const nearest = salaries.toSorted((one, other) => miss(one, payslip) - miss(other, payslip))[0];
  const bankCents = nearest?.monthlyCents ?? 0;
  if (Math.abs(bankCents - payslip.monthlyCents) <= MAX_DIFFERENCE * payslip.monthlyCents) return [];
  return [{ kind: 'payslip-differs', payslipCents: payslip.monthlyCents, bankCents, payer: payslip.payer }];
}

function miss(one: IncomeSource, other: IncomeSource): number {
  return Math.abs(one.monthlyCents - other.monthlyCents);
}
