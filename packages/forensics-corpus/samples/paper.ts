import { type Identity, identityOf } from '../data/identity.ts';
import { daysLater, type Locale, locales, tags } from '../data/locale.ts';
import { type Payslip, payslipOf } from '../data/payslip.ts';
import { statementOf } from '../data/statement.ts';
import type { Drawing } from '../drawing.ts';
import { drawIdentity } from '../layouts/identities.ts';
import { drawPayslip, payslipLayouts } from '../layouts/payslips.ts';
import { drawStatement, statementLayouts } from '../layouts/statements.ts';
import { portrait } from '../pictures/portrait.ts';
import type { Random } from '../random.ts';
import type { Applicant } from '../sets/applicant.ts';
import type { Subject } from '../truth.ts';

/** A genuine document before it is written to a file. */
export interface Paper {
  subject: Subject;
  layout: string;
  locale: Locale;
  holder: string;
  drawing: Drawing;
  /** A plausible creation time of its file. */
  created: Date;
}

export interface PaperWishes {
  subjects: readonly Subject[];
  /** Only letters of Windows code page 1252. */
  western: boolean;
  /** At most one sheet. */
  short: boolean;
  /** Whose documents they are; by default, each is another person's. */
  applicant?: Applicant | undefined;
}

export async function paperOf(random: Random, { subjects, western, short, applicant }: PaperWishes): Promise<Paper> {
  const locale = applicant?.locale ?? locales[random.pick(tags.filter((tag) => locales[tag].western || !western))];
  const subject = random.pick(subjects);
  if (subject === 'identity') return identity(applicant?.identity ?? identityOf(locale, random), locale, random);
  if (subject === 'payslip')
    return payslip(applicant ? random.pick(applicant.payslips) : payslipOf(locale, random), random);
  const rows = short ? random.integer(8, 15) : random.pick([random.integer(8, 25), random.integer(26, 75)]);
  const statement = applicant ? random.pick(applicant.statements) : statementOf(locale, random, rows);
  const layout = random.pick(statementLayouts.filter((name) => fits(name, locale)));
  const drawing = drawStatement(statement, layout, random);
  const holder = `${statement.holder.given} ${statement.holder.family}`;
  return { subject, layout, locale, holder, drawing, created: afterwards(statement.to, random) };
}

function payslip(slip: Payslip, random: Random): Paper {
  const { locale } = slip;
  const layout = random.pick(payslipLayouts.filter((name) => fits(name, locale)));
  const holder = `${slip.employee.given} ${slip.employee.family}`;
  const drawing = drawPayslip(slip, layout, random);
  return { subject: 'payslip', layout, locale, holder, drawing, created: afterwards(slip.payday, random) };
}

async function identity(card: Identity, locale: Locale, random: Random): Promise<Paper> {
  const drawing = drawIdentity(card, await portrait(random));
  const holder = `${card.person.given} ${card.person.family}`;
  return {
    subject: 'identity',
    layout: card.format,
    locale,
    holder,
    drawing,
    created: afterwards(card.issued, random),
  };
}

/** The standard typewriter font lacks some letters. */
function fits(layout: string, { western }: Locale): boolean {
  return western || !['mainframe', 'suffix', 'form'].includes(layout);
}

/** Within working hours on one of the following days. */
function afterwards(date: Date, random: Random): Date {
  return new Date(daysLater(date, random.integer(1, 6)).getTime() + random.integer(6 * 3600, 20 * 3600) * 1000);
}
