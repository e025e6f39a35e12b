import { html, isolated } from '../../../../core/html.ts';
import { comparableEmail } from '../../../../core/rules/participants.ts';
import { countParticipants } from '../../../../db/applications/application-lists.ts';
import { dayIn, positionIn, positionUntil, textIn } from '../../query.ts';
import { operatorsAnd, page } from '../../route.ts';
import { field, filterForm } from '../../views/forms.ts';
import { link, moment, older, table } from '../../views/parts.ts';
import { keyChoice } from '../key-choice.ts';
import { applicationPage } from './application.ts';
import { applicationActions } from './application-actions.ts';
import { incomeRoutes } from './application-income.ts';
import { checkActions } from './checks.ts';
import { createRoutes } from './create.ts';
import { applicationImport } from './import.ts';
import { paymentActions } from './payments.ts';
import { personMailActions } from './person-mails.ts';
import { propertyFilter } from './property-filter.ts';
import { findApplications, standingIn } from './search.ts';

export const applicationRoutes = [
  page('/applications', operatorsAnd('admin', 'agent', 'viewer'), async (visit, parts) => {
    const { query, to, scope, t } = visit;
    const { db } = parts;
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
    const { missing, outcome } = standing;
    const { rows, next, searched } = await findApplications(visit, parts, filter, standing);
    const countsOf = await countParticipants(
      db,
      rows.map(({ id }) => id),
    );
    const shown = rows.map((row) => {
      const { participants, pending } = countsOf(row.id);
      return [
        link(to(`applications/${row.id}`), isolated(row.title || t.text('application.untitled'))),
        row.lead_email === null ? null : isolated(row.lead_email),
        ...(isOperator ? [isolated(row.landlord_name)] : []),
        participants,
        pending > 0 ? pending : t.text('none'),
        moment(row.created_at),
      ];
    });
    const columns = [
      ...[t.text('application.title'), t.text('role.lead')],
      ...(isOperator ? [t.text('landlord')] : []),
      ...[t.text('application.participants'), t.text('application.unanswered'), t.text('created')],
    ];
    const isFiltered = [email, clientId, before, landlordId, from, until, propertyInternalId, missing, outcome].some(
      (one) => one !== undefined,
    );
    const empty = isFiltered || isOperator ? 'applications.none' : 'applications.empty';
    const main = html`<h1>${t.text('section.applications')}</h1>
${visit.may('GET', 'applications/new') ? html`<p><a class="button" href="${to('applications/new')}">${t.text('create.title')}</a></p>` : undefined}
${filterForm(
  to('applications'),
  html`${field('email', t.text('participant'), email ?? '', t.text('hint.email'))}${isOperator ? field('landlord', t.text('landlord'), landlordId ?? '', 'id') : undefined}${keyField}${propertyField}${standing.shown}${field('from', t.text('filter.from'), from ?? '', '', 'date')}${field('until', t.text('filter.until'), until ?? '', '', 'date')}`,
  t.text('filter.show'),
)}
${shown.length > 0 ? table(t.text('applications.caption'), columns, shown) : undefined}
${searched && html`<p class="lead">${t.text('filter.searched', searched)}</p>`}
${shown.length === 0 && !searched ? html`<p class="lead">${t.text(empty)}</p>` : undefined}
${older(t, to('applications'), query, next)}`;
    return { title: t.text('section.applications'), main };
  }),
  ...createRoutes,
  ...applicationImport,
  page('/applications/:id', operatorsAnd('admin', 'agent', 'viewer'), applicationPage),
  ...incomeRoutes,
  ...applicationActions,
  ...checkActions,
  ...personMailActions,
  ...paymentActions,
];
