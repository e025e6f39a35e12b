import { type Html, html, isolated } from '../../../../core/html.ts';
import {
  amount,
  cautionInWords,
  certaintyInWords,
  NO_DECISION,
  ruleInWords,
  sourceInWords,
} from '../../../../core/rules/income-in-words.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { findApplicationIncome, type MemberIncome } from '../../../../jobs/banking/application-income.ts';
import { operatorsOnly, type PageRoute, type Parts, page } from '../../route.ts';
import { facts, link } from '../../views/parts.ts';
import { applicationOf } from './application-actions.ts';

/** The income of everyone in an application, and the rent against it. */
const incomePage: PageRoute<Parts>['handle'] = async (visit, parts) => {
  const { to, actor, now } = visit;
  const { db } = parts;
  const application = await applicationOf(visit, parts);
  const found = await findApplicationIncome(parts, application.id);
  const { members, rentCents, rule, incomeCents, sharePercent, isMet, guarantorCents } = found;
  // Recorded before it is shown, so that no read goes unrecorded.
  await inTransaction(db, async (trx) => {
    for (const { tenantId } of members)
      if (tenantId !== null) await recordAudit(trx, actor, 'tenant.read', tenantId, now);
  });
  const figure = (cents: number | undefined) => (cents === undefined ? 'not known' : `${amount(cents)} a month`);
  const main = html`<p class="crumbs">${link(to(`applications/${application.id}`), isolated(application.title))}</p>
<h1>Income</h1>
<p class="note">Viewing this page is recorded. ${NO_DECISION}</p>
${facts([
  ['Rent', rentCents === undefined ? 'no property is linked' : figure(rentCents)],
  ['Income', figure(incomeCents)],
  ['Rent of income', sharePercent === undefined ? null : `${sharePercent} %`],
  ['Rule', rule ? ruleInWords(rule) : 'the landlord has none'],
  ['The rule is', rule === undefined ? null : isMet === undefined ? 'not comparable' : isMet ? 'met' : 'not met'],
  ['Guarantors', guarantorCents === undefined ? null : figure(guarantorCents)],
])}
${members.map(member)}`;
  return { title: `Income · ${application.title}`, main };
};

function member({ email, name, isGuarantor, income }: MemberIncome): Html {
  const { monthlyCents, certainty, sources, outgoings, cautions } = income;
  const figure =
    monthlyCents === undefined
      ? 'Not known: no bank is connected, and no payslip or statement was read.'
      : `${amount(monthlyCents)} a month, ${sources.length === 0 ? 'no income was seen' : certaintyInWords(certainty)}`;
  const lines = [
    ...sources.map((source) => html`<li>${isolated(sourceInWords(source))}</li>`),
    ...outgoings.map(
      ({ kind, payee, monthlyCents: cents }) => html`<li>Pays ${amount(cents)} ${kind} to ${isolated(payee)}</li>`,
    ),
  ];
  return html`<h2>${isolated(name || email)}${isGuarantor ? ' (guarantor)' : undefined}</h2>
<p>${figure}</p>
${lines.length > 0 ? html`<ul>${lines}</ul>` : undefined}
${cautions.length > 0 ? html`<ul class="cautions">${cautions.map((caution) => html`<li>${isolated(cautionInWords(caution))}</li>`)}</ul>` : undefined}`;
}

export const incomeRoutes = [page('/applications/:id/income', operatorsOnly, incomePage)];
