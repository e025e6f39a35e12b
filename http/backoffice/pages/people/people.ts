import { html, isolated } from '../../../../core/html.ts';
import { onboardingStatus } from '../../../../core/rules/onboarding.ts';
import { comparableEmail } from '../../../../core/rules/participants.ts';
import { listParticipations } from '../../../../db/applications/application-lists.ts';
import { findListedTenant, listTenants, type TenantRow } from '../../../../db/applications/tenants.ts';
import { findFlow } from '../../../../db/identity/flows.ts';
import { cancelFlow } from '../../../../jobs/identity/identity-flows.ts';
import { PAGE_ROWS, pageOf, positionIn, textIn } from '../../query.ts';
import { action, expectFound, operatorsOnly, page, Refused, readResults } from '../../route.ts';
import { field, filterForm } from '../../views/forms.ts';
import { type Column, link, moment, older, table } from '../../views/parts.ts';
import { givenOne, givenText } from '../given.ts';
import { personPage } from './person.ts';

export const peopleRoutes = [
  page('/people', operatorsOnly, async ({ query, to, now, scope, t }, { db }) => {
    const who = textIn(query, 'who');
    const found = who === undefined ? undefined : await findListedTenant(db, scope, who);
    const all = () => listTenants(db, scope, PAGE_ROWS + 1, positionIn(query));
    const listed = who === undefined ? await all() : found ? [found] : [];
    const { rows, next } = pageOf(listed);
    const columns: readonly Column<TenantRow>[] = [
      ['E-mail', ({ id, email }) => link(to(`people/${id}`), isolated(email))],
      ['Name', ({ name }) => isolated(name)],
      ['Profile', (row) => onboardingStatus(row, now).toLowerCase()],
      ['Account since', ({ created_at }) => moment(created_at)],
    ];
    // A participant may have no account yet.
    const others =
      who !== undefined && !found ? await listParticipations(db, scope, comparableEmail(who), PAGE_ROWS) : [];
    const main = html`${filterForm(to('people'), [field('who', 'Person', { value: who ?? '', hint: 'e-mail address or id' })])}
${table('People with an account, newest first', columns, rows)}
${who !== undefined && !found ? html`<p class="lead">No account has this address or id.${others.length > 0 ? ' They take part in:' : undefined}</p>` : undefined}
${others.length > 0 ? html`<ul>${others.map((one) => html`<li>${link(to(`applications/${one.application_id}`), isolated(one.title))}</li>`)}</ul>` : undefined}
${older(t, to('people'), query, next)}`;
    return { title: 'People', main };
  }),
  page('/people/:id', readResults, personPage),
  action('/people/:id/cancel-flow', readResults, async (visit, parts) => {
    const { param, actor, scope, t } = visit;
    const tenant = expectFound(await findListedTenant(parts.db, scope, param('id')), 'Person');
    const kind = givenOne(visit, 'kind', ['kyc', 'eid'] as const, 'refused.flow');
    const id = givenText(visit, 'flow', 'refused.flow');
    const flow = expectFound(await findFlow(parts.db, scope, kind, id), 'Flow');
    if (flow.tenant_id !== tenant.id) throw new Refused(409, t, 'refused.other-flow');
    if (!(await cancelFlow(parts, kind, id, actor))) throw new Refused(409, t, 'refused.flow-over');
    return { goTo: `people/${flow.tenant_id}`, notice: 'cancelled' };
  }),
];
