import { type Html, html, isolated } from '../../../../core/html.ts';
import { comparableEmail } from '../../../../core/rules/participants.ts';
import type { DeskTexts } from '../../../../core/texts/desk-texts.ts';
import {
  countParticipants,
  type ListedApplication,
  type ParticipantState,
  participantStates,
} from '../../../../db/applications/application-lists.ts';
import { dayIn, positionIn, positionUntil, textIn } from '../../query.ts';
import { operatorsAnd, type Parts, page, type Visit } from '../../route.ts';
import { field, filterForm } from '../../views/forms.ts';
import { badge, type Column, link, moment, older, table, wayTo } from '../../views/parts.ts';
import { keyChoice } from '../key-choice.ts';
import { applicationPage } from './application.ts';
import { applicationActions } from './application-actions.ts';
import { incomeRoutes } from './application-income.ts';
import { checkActions } from './checks.ts';
import { createRoutes } from './create.ts';
import { applicationImport } from './import.ts';
import { paymentActions } from './payments.ts';
import { propertyFilter } from './property-choice.ts';
import { findApplications, standingIn } from './search.ts';

/** The columns of a list of applications. */
export async function applicationColumns(
  { t, to, scope }: Visit,
  { db }: Pick<Parts, 'db'>,
  rows: readonly ListedApplication[],
): Promise<Column<ListedApplication>[]> {
  const ids = rows.map(({ id }) => id);
  const countOf = await countParticipants(db, ids);
  const landlord: Column<ListedApplication> = [t.text('landlord'), ({ landlord_name }) => isolated(landlord_name)];
  return [
    [
      t.text('application.title'),
      ({ id, title }) => link(to(`applications/${id}`), isolated(title || t.text('application.untitled'))),
    ],
    [t.text('role.lead'), ({ lead_email }) => isolated(lead_email)],
    ...(scope.of === 'all landlords' ? [landlord] : []),
    [t.text('application.participants'), ({ id }) => answers(t, (state) => countOf(id, state))],
    [t.text('created'), ({ created_at }) => moment(created_at)],
  ];
}

/** How many of the people are in each state. */
function answers(t: DeskTexts, countOf: (state: ParticipantState) => number): Html {
  const states = participantStates.filter((state) => countOf(state) > 0);
  return html`<ul class="row">${states.map((state) => html`<li>${badge(state, t.text(`consent.${state}`))} ${countOf(state)}</li>`)}</ul>`;
}

export const applicationRoutes = [
  page('/applications', operatorsAnd('admin', 'agent', 'viewer'), async (visit, parts) => {
    const { query, to, scope, t } = visit;
    const email = textIn(query, 'email');
    const isOperator = scope.of === 'all landlords';
    const [landlordId, before] = [isOperator ? textIn(query, 'landlord') : undefined, positionIn(query)];
    const { clientId, shown: keyField } = await keyChoice(visit, parts);
    const [from, until] = [dayIn(query, 'from'), dayIn(query, 'until')];
    const { propertyInternalId, shown: propertyField } = await propertyFilter(visit, parts);
    const filter = {
      ...{ landlordId, clientId, propertyInternalId },
      comparableEmail: email && comparableEmail(email),
      since: from && `${from}T00:00:00.000Z`,
      before: positionUntil(until, before),
    };
    const standing = standingIn(visit);
    const { rows, next, searched } = await findApplications(visit, parts, filter, standing);
    const columns = await applicationColumns(visit, parts, rows);
    const given = [...Object.values(filter), standing.state, standing.missing, standing.outcome];
    const isFiltered = isOperator || given.some((one) => one !== undefined);
    const empty = t.text(isFiltered ? 'applications.none' : 'applications.empty');
    const fields = [
      field('email', t.text('participant'), { value: email ?? '', hint: t.text('hint.email') }),
      isOperator ? field('landlord', t.text('landlord'), { value: landlordId ?? '', hint: 'id' }) : undefined,
      ...[keyField, propertyField, standing.shown],
      field('from', t.text('filter.from'), { value: from ?? '', type: 'date' }),
      field('until', t.text('filter.until'), { value: until ?? '', type: 'date' }),
    ];
    const main = html`${wayTo(visit, 'applications/new', t.text('create.title'))}
${filterForm(to('applications'), fields, t.text('filter.show'))}
${table(t.text('applications.caption'), columns, rows, searched ? undefined : empty)}
${searched && html`<p class="lead">${t.text('filter.searched', searched)}</p>`}
${older(t, to('applications'), query, next)}`;
    return { title: t.text('section.applications'), main };
  }),
  ...createRoutes,
  ...applicationImport,
  page('/applications/:id', operatorsAnd('admin', 'agent', 'viewer'), applicationPage),
  ...incomeRoutes,
  ...applicationActions,
  ...checkActions,
  ...paymentActions,
];
