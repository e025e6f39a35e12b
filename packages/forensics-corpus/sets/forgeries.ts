import { ibanOf } from '../data/iban.ts';
import type { Payslip } from '../data/payslip.ts';
import { personOf } from '../data/people.ts';
import type { Statement } from '../data/statement.ts';
import type { Random } from '../random.ts';
import type { Applicant } from './applicant.ts';

/** Changes that leave one document consistent in itself, and the cross-document checks that must detect them. */
export const forgeries: Record<string, { change: (set: Applicant, random: Random) => Applicant; seenBy: string[] }> = {
  'higher-net': { change: (set) => withPayslip(set, 1, raised), seenBy: ['net-pay-credited'] },
  'every-net-higher': {
    change: (set) => ({ ...set, payslips: set.payslips.map(raised) }),
    seenBy: ['net-pay-credited'],
  },
  'other-credit': {
    change: (set) => withStatement(set, 1, creditRaised),
    seenBy: ['net-pay-credited', 'balances-continue'],
  },
  'other-opening': { change: (set) => withStatement(set, 1, shifted), seenBy: ['balances-continue'] },
  'other-employer': {
    change: (set) => ({
      ...set,
      payslips: set.payslips.map((one) => ({ ...one, employer: `Quarzwerk Ost ${form(one)}` })),
    }),
    seenBy: ['employer-pays'],
  },
  'other-name': {
    change: (set, random) => withPayslip(set, 0, (one) => ({ ...one, employee: otherPerson(one, random) })),
    seenBy: ['one-name'],
  },
  'other-birth': {
    change: (set) =>
      withPayslip(set, 0, (one) => ({
        ...one,
        employee: { ...one.employee, born: new Date(one.employee.born.getTime() - 900 * 86_400_000) },
      })),
    seenBy: ['one-identity'],
  },
  'other-iban': {
    change: (set, random) => ({
      ...set,
      payslips: set.payslips.map((one) => ({ ...one, account: ibanOf(one.locale.country, random) })),
    }),
    seenBy: ['one-account'],
  },
  'higher-year': { change: (set) => withPayslip(set, 2, yearRaised), seenBy: ['year-to-date'] },
  'month-relabelled': {
    change: (set) =>
      withPayslip(set, 2, (one) => ({
        ...one,
        month: set.payslips[1]?.month ?? one.month,
        net: one.net + 20_000,
        gross: one.gross + 20_000,
      })),
    seenBy: ['months-and-numbers'],
  },
  'number-relabelled': {
    change: (set) => withStatement(set, 2, (one) => ({ ...one, number: `1/${one.number.slice(-4)}` })),
    seenBy: ['months-and-numbers'],
  },
};

/** Consistent within the document: basic pay, gross and net change together. */
function raised(one: Payslip): Payslip {
  const by = Math.round(one.net * 0.21);
  const [first, ...rest] = one.earnings;
  const earnings = first ? [{ ...first, amount: first.amount + by }, ...rest] : [];
  return { ...one, earnings, gross: one.gross + by, net: one.net + by };
}

function yearRaised(one: Payslip): Payslip {
  return { ...one, earnings: one.earnings.map((item) => ({ ...item, yearToDate: item.yearToDate + 171_717 })) };
}

/** The salary and every balance after it. */
function creditRaised(one: Statement): Statement {
  const largest = Math.max(...one.movements.map(({ amount }) => amount));
  let balance = one.opening;
  const movements = one.movements.map((movement) => {
    const amount = movement.amount === largest ? movement.amount + 47_123 : movement.amount;
    balance += amount;
    return { ...movement, amount, balance };
  });
  return { ...one, movements, closing: balance };
}

function shifted(one: Statement): Statement {
  const by = 250_013;
  const movements = one.movements.map((movement) => ({ ...movement, balance: movement.balance + by }));
  return { ...one, opening: one.opening + by, closing: one.closing + by, movements };
}

function otherPerson(one: Payslip, random: Random): Payslip['employee'] {
  const other = personOf(one.locale.tag === 'de' ? 'pt' : 'de', random);
  return { ...one.employee, given: other.given, family: other.family };
}

function form({ employer }: Payslip): string {
  return (
    /(?:GmbH|AG|KG|Ltd|plc|Inc|LLC|Corp|S\.A\.|S\.L\.|SAS|SA|SARL|S\.p\.A\.|S\.r\.l\.|B\.V\.|N\.V\.|Sp\. z o\.o\.|Lda\.)$/.exec(
      employer,
    )?.[0] ?? 'GmbH'
  );
}

function withPayslip(set: Applicant, index: number, change: (one: Payslip) => Payslip): Applicant {
  return { ...set, payslips: set.payslips.map((one, at) => (at === index ? change(one) : one)) };
}

function withStatement(set: Applicant, index: number, change: (one: Statement) => Statement): Applicant {
  return { ...set, statements: set.statements.map((one, at) => (at === index ? change(one) : one)) };
}
