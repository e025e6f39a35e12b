import { type Identity, identityLines } from '@tenant-screening/forensics-corpus/data/identity.ts';
import { locales, tags } from '@tenant-screening/forensics-corpus/data/locale.ts';
import type { Payslip } from '@tenant-screening/forensics-corpus/data/payslip.ts';
import type { Statement } from '@tenant-screening/forensics-corpus/data/statement.ts';
import { drawIdentity } from '@tenant-screening/forensics-corpus/layouts/identities.ts';
import { drawAssessment } from '@tenant-screening/forensics-corpus/layouts/letters.ts';
import { drawPayslip, payslipLayouts } from '@tenant-screening/forensics-corpus/layouts/payslips.ts';
import { drawStatement, statementLayouts } from '@tenant-screening/forensics-corpus/layouts/statements.ts';
import { NotPossible } from '@tenant-screening/forensics-corpus/pdf/retype.ts';
import { portrait } from '@tenant-screening/forensics-corpus/pictures/portrait.ts';
import { pdfkitEmbedded } from '@tenant-screening/forensics-corpus/producers/pdfkit.ts';
import { type Random, randomOf } from '@tenant-screening/forensics-corpus/random.ts';
import { applicantOf, type Circumstance, circumstances } from '@tenant-screening/forensics-corpus/sets/applicant.ts';
import { forgeries } from '@tenant-screening/forensics-corpus/sets/forgeries.ts';
import { overlay } from '@tenant-screening/forensics-corpus/tampered/covers.ts';
import { fontSwap, incrementalEdit } from '@tenant-screening/forensics-corpus/tampered/edits.ts';
import { victimOf } from '@tenant-screening/forensics-corpus/tampered/victim.ts';

/** What an applicant hands in: which documents, and whether they were changed. */
export const handedIn = [
  ...(['payslips', 'statements', 'payslips-and-statements', 'one-payslip', 'identity-only', 'tax-assessment'] as const),
  ...(['changed-payslips', 'changed-payslip-and-statements', 'forged-payslips-and-statements'] as const),
] as const;
export type HandedIn = (typeof handedIn)[number];

export interface SetFile {
  name: string;
  bytes: Uint8Array;
  /** Its net pay is not the one that the employer wrote. */
  isChanged: boolean;
}

/** An applicant whose income is known, and their files. */
export interface IncomeSet {
  name: string;
  files: SetFile[];
  /** The true monthly net pay in cents, where the documents suffice for it; undefined where they do not. */
  expectedCents: number | undefined;
}

/** The numbered set of an endless mixture of languages, circumstances, layouts and documents. */
export async function incomeSet(seed: string, index: number): Promise<IncomeSet> {
  const given = handedIn[index % handedIn.length] ?? 'payslips';
  const turn = Math.floor(index / handedIn.length);
  const how = circumstances[turn % circumstances.length] ?? 'plain';
  const tag = tags[(turn + (index % handedIn.length)) % tags.length] ?? 'de';
  const random = randomOf('incomes', seed, index);
  const set = applicantOf(tag, how, random.fork('person'));
  const write = writer(tag, random);
  const [payslips, statements] = [set.payslips, set.statements];
  const trueCents = median(payslips.map(({ net }) => net));
  const name = `${index} ${tag} ${how} ${given}`;
  switch (given) {
    case 'payslips':
      return { name, files: await write.payslips(payslips), expectedCents: trueCents };
    case 'one-payslip':
      return { name, files: await write.payslips(payslips.slice(-1)), expectedCents: payslips.at(-1)?.net };
    case 'statements': {
      const expectedCents = showPay(how) ? trueCents : undefined;
      return { name, files: await write.statements(statements), expectedCents };
    }
    case 'payslips-and-statements': {
      const files = [...(await write.payslips(payslips)), ...(await write.statements(statements))];
      return { name, files, expectedCents: trueCents };
    }
    case 'tax-assessment':
      return { name, ...(await write.assessment(random.integer(1_500_000, 8_000_000))) };
    case 'identity-only':
      return { name, files: await write.identity(set.identity), expectedCents: undefined };
    case 'changed-payslips':
      return { name, files: await write.changed(payslips), expectedCents: undefined };
    case 'changed-payslip-and-statements': {
      const files = [...(await write.changed(payslips.slice(-1))), ...(await write.statements(statements))];
      return { name, files, expectedCents: showPay(how) ? trueCents : undefined };
    }
    case 'forged-payslips-and-statements': {
      const forged = forgeries['every-net-higher']?.change(set, random) ?? set;
      const files = [...(await write.payslips(forged.payslips)), ...(await write.statements(statements))];
      const changed = files.map((file) => ({ ...file, isChanged: file.name.startsWith('payslip') }));
      return { name, files: changed, expectedCents: showPay(how) ? trueCents : undefined };
    }
  }
}

/** Fewer than three payments of the pay in the statements' months, or none, leave it unknown. */
function showPay(how: Circumstance): boolean {
  return !['gap', 'paid-next-month', 'two-accounts'].includes(how);
}

const EDITS = [overlay, incrementalEdit, fontSwap];
const ATTEMPTS = 12;

function writer(tag: (typeof tags)[number], random: Random) {
  const { western } = locales[tag];
  const fits = (layout: string) => western || !['mainframe', 'suffix', 'form'].includes(layout);
  const slipLayout = random.pick(payslipLayouts.filter(fits));
  const bankLayout = random.pick(statementLayouts.filter(fits));
  const pdf = pdfkitEmbedded;
  const slip = (payslip: Payslip) => drawPayslip(payslip, slipLayout, random.fork('payslip'));
  return {
    payslips: (all: readonly Payslip[]): Promise<SetFile[]> =>
      Promise.all(
        all.map(async (payslip, index) => ({
          name: `payslip-${index + 1}.pdf`,
          bytes: await pdf.write(slip(payslip), payslip.payday, random.fork(`payslip ${index}`)),
          isChanged: false,
        })),
      ),
    statements: (all: readonly Statement[]): Promise<SetFile[]> =>
      Promise.all(
        all.map(async (statement, index) => ({
          name: `statement-${index + 1}.pdf`,
          bytes: await pdf.write(
            drawStatement(statement, bankLayout, random.fork('statement')),
            statement.to,
            random.fork(`statement ${index}`),
          ),
          isChanged: false,
        })),
      ),
    async identity(identity: Identity): Promise<SetFile[]> {
      const drawing = drawIdentity({ ...identity, mrz: identityLines(identity) }, await portrait(random));
      return [{ name: 'identity.pdf', bytes: await pdf.write(drawing, identity.issued, random), isChanged: false }];
    },
    async assessment(income: number): Promise<Omit<IncomeSet, 'name'>> {
      const tax = Math.round(income * (0.05 + random.integer(0, 25) / 100));
      const day = new Date('2025-06-12T00:00:00Z');
      const drawing = drawAssessment(locales[tag], day, random.fork('letter'), [income, income - 100_000, tax]);
      const bytes = await pdf.write(drawing, day, random.fork('assessment'));
      const files = [{ name: 'assessment.pdf', bytes, isChanged: false }];
      return { files, expectedCents: Math.round((income - tax) / 12) };
    },
    /** Each with another net pay, changed in the finished file. */
    changed: (all: readonly Payslip[]): Promise<SetFile[]> =>
      Promise.all(
        all.map(async (payslip, index) => {
          const drawing = slip(payslip);
          const bytes = await pdf.write(drawing, payslip.payday, random.fork(`payslip ${index}`));
          const about = { language: tag, created: payslip.payday, only: ['net'] as const };
          for (let attempt = 0; attempt < ATTEMPTS; attempt += 1)
            try {
              const fork = random.fork(`change ${index} ${attempt}`);
              const victim = await victimOf(bytes, drawing, { ...about, random: fork });
              return { name: `payslip-${index + 1}.pdf`, bytes: await fork.pick(EDITS)(victim), isChanged: true };
            } catch (error) {
              if (!(error instanceof NotPossible)) throw error;
            }
          throw new Error(`The net pay of ${slipLayout} in ${tag} cannot be changed.`);
        }),
      ),
  };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
