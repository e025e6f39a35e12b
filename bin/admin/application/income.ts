import type { Command } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { writeRentRule } from '../../../core/rules/affordability.ts';
import {
  amount,
  cautionInWords,
  certaintyInWords,
  NO_DECISION,
  ruleInWords,
  sourceInWords,
} from '../../../core/rules/income-in-words.ts';
import {
  type ApplicationIncome,
  findApplicationIncome,
  type MemberIncome,
} from '../../../jobs/banking/application-income.ts';
import { auditRead } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { namedApplication } from './named.ts';

const NOTES = `
Income is by month and net: what a bank sent, else uploaded statements, else
payslips, else a tax assessment. Each source says how sure it is. The rule is
the landlord's (landlord settings --rent-rule). It decides nothing: a person
does.`;

export function addIncomeCommand(application: Command): void {
  application
    .command('income')
    .description('show the income of everyone in an application, and the rent against it')
    .argument('<application>', 'the id of the application', canonicalId)
    .addHelpText('after', NOTES)
    .addHelpText('after', example('application income <application id>'))
    .action(show);
}

const show = withRuntime(async (runtime, id: string) => {
  const { db, now } = runtime;
  const { title } = await namedApplication(db, id);
  const found = await findApplicationIncome(runtime, id);
  for (const { tenantId } of found.members) if (tenantId !== null) await auditRead(db, 'tenant.read', tenantId, now());
  const text = [record(title, summary(id, found)).text, ...found.members.map(memberText), NO_DECISION].join('\n\n');
  return { json: { ...summary(id, found), members: found.members.map(memberFields) }, text };
});

function summary(
  application_id: string,
  { rentCents, rule, incomeCents, sharePercent, isMet, guarantorCents }: ApplicationIncome,
) {
  return {
    application_id,
    rent: money(rentCents),
    income: money(incomeCents),
    rent_percent: sharePercent ?? null,
    rule: rule ? writeRentRule(rule) : null,
    rule_in_words: rule ? ruleInWords(rule) : null,
    is_met: isMet ?? null,
    guarantors_income: money(guarantorCents),
  };
}

function money(cents: number | undefined): number | null {
  return cents === undefined ? null : cents / 100;
}

function memberFields({ email, name, isGuarantor, tenantId, income }: MemberIncome) {
  return {
    email,
    name,
    is_guarantor: isGuarantor,
    tenant_id: tenantId,
    monthly_income: money(income.monthlyCents),
    certainty: income.certainty ?? null,
    sources: income.sources.map(({ monthlyCents, isRegular, ...source }) => ({
      ...source,
      monthly: monthlyCents / 100,
      is_regular: isRegular,
    })),
    outgoings: income.outgoings.map(({ monthlyCents, ...outgoing }) => ({ ...outgoing, monthly: monthlyCents / 100 })),
    cautions: income.cautions.map(cautionInWords),
  };
}

function memberText({ email, name, isGuarantor, income }: MemberIncome): string {
  const { monthlyCents, certainty, sources, outgoings, cautions } = income;
  const figure =
    monthlyCents === undefined ? 'not known' : `${amount(monthlyCents)} a month, ${certaintyInWords(certainty)}`;
  return [
    `${name || email}${isGuarantor ? ' (guarantor)' : ''}: ${monthlyCents === 0 ? 'no income was seen' : figure}`,
    ...sources.map((source) => `  ${sourceInWords(source)}`),
    ...outgoings.map(({ kind, payee, monthlyCents: cents }) => `  pays ${amount(cents)} ${kind} to ${payee}`),
    ...cautions.map((caution) => `  ! ${cautionInWords(caution)}`),
  ].join('\n');
}
