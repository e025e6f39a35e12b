import { type Html, html, isolated } from '../../../../core/html.ts';
import { reportFacts, reportItems } from '../../../../core/reports/in-markup.ts';
import {
  cautionLine,
  incomeFigure,
  incomeLines,
  moneyLines,
  personHeading,
} from '../../../../core/reports/in-words.ts';
import { writeRentRule } from '../../../../core/rules/affordability.ts';
import type { DeskMessage } from '../../../../core/texts/desk-texts.ts';
import type { ListedApplication } from '../../../../db/applications/application-lists.ts';
import { findApplicationIncome, type MemberIncome } from '../../../../jobs/banking/application-income.ts';
import { recordLook } from '../../../../jobs/privacy/looks.ts';
import { page, type ResultsPage, readResults, type Visit } from '../../route.ts';
import { link, propertyPath } from '../../views/parts.ts';
import { aboveIn, applicationOf } from './application-actions.ts';

/** The income of everyone in an application, and the rent against it, in the words of the report. */
const incomePage: ResultsPage = async (visit, parts) => {
  const { t, reportTexts } = visit;
  const application = await applicationOf(visit, parts);
  const found = await findApplicationIncome(parts, application.id);
  const { members, rentCents, rule, incomeCents, sharePercent, isMet, guarantorCents } = found;
  // Recorded before it is shown, so that no read goes unrecorded.
  for (const { tenantId } of members)
    if (tenantId !== null) {
      const about = [{ tenant_id: tenantId, api_key_id: application.api_key_id }];
      await recordLook(parts.db, visit, ['income', 'tenant.read', tenantId], about);
    }
  const money = {
    rentCents: rentCents ?? null,
    incomeCents: incomeCents ?? null,
    sharePercent: sharePercent ?? null,
    rule: rule ? writeRentRule(rule) : null,
    isMet: isMet ?? null,
    guarantorCents: guarantorCents ?? null,
  };
  const name = application.title || t.text('application.untitled');
  const main = html`<p class="note">${t.text('recorded.person')} ${t.text('income.decides')}</p>
${reportFacts(moneyLines(reportTexts, money))}
${rentCents === undefined ? withoutRent(visit, application) : undefined}
${rule === undefined ? withoutRule(visit, application) : undefined}
${members.map((one) => member(one, visit))}`;
  return {
    title: `${t.text('income.title')} · ${name}`,
    heading: html`${t.text('income.title')}`,
    above: aboveIn(visit, application),
    main,
  };
};

/** Why there is nothing to compare the income with, and where to change that. */
function withoutRent(visit: Visit, { id, property_id }: ListedApplication): Html {
  const { t } = visit;
  if (property_id !== null)
    return html`<p class="note">${t.text('income.no-amount')} ${wayIn(visit, propertyPath(property_id), 'income.set-rent')}</p>`;
  return html`<p class="note">${t.text('income.no-rent')} ${wayIn(visit, `applications/${id}`, 'income.link-property')}</p>`;
}

function withoutRule(visit: Visit, { landlord_id }: ListedApplication): Html {
  const { t, scope } = visit;
  const settings = scope.of === 'all landlords' ? `landlords/${landlord_id}` : 'settings';
  const way = wayIn(visit, settings, 'income.set-rule') ?? t.text('income.rule-by-admin');
  return html`<p class="note">${t.text('income.no-rule')} ${way}</p>`;
}

function wayIn({ may, to, t }: Visit, path: string, words: DeskMessage): Html | undefined {
  return may('GET', path) ? link(to(path), t.text(words)) : undefined;
}

function member({ email, name, isLead, isGuarantor, income }: MemberIncome, { t, reportTexts }: Visit): Html {
  return html`<section class="person"><h2>${isolated(personHeading(reportTexts, { name, email, isLead, isGuarantor }))}</h2>
${reportFacts([[reportTexts.text('report.income'), incomeFigure(reportTexts, income)]])}
${income.monthlyCents === undefined ? html`<p>${t.text('income.unknown')}</p>` : undefined}
${reportItems(incomeLines(reportTexts, income))}
${reportItems(
  income.cautions.map((caution) => cautionLine(reportTexts, caution)),
  'cautions',
)}</section>`;
}

export const incomeRoutes = [page('/applications/:id/income', readResults, incomePage)];
