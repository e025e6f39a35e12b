import { html, isolated } from '../../../../core/html.ts';
import { onboardingStatus } from '../../../../core/rules/onboarding.ts';
import { comparableEmail } from '../../../../core/rules/participants.ts';
import { listParticipations } from '../../../../db/applications/application-lists.ts';
import { findListedTenant, listTenants } from '../../../../db/applications/tenants.ts';
import { findFlow } from '../../../../db/identity/flows.ts';
import { cancelFlow } from '../../../../jobs/identity/identity-flows.ts';
import { oneIn, PAGE_ROWS, pageOf, positionIn, textIn } from '../../query.ts';
import { action, expectFound, type GoTo, operatorsOnly, page, Refused, readResults } from '../../route.ts';
import { field, filterForm } from '../../views/forms.ts';
import { link, moment, older, table } from '../../views/parts.ts';
import { personPage } from './person.ts';

export const peopleRoutes = [
  page('/people', operatorsOnly, async ({ query, to, now, scope, t }, { db }) => {
    const who = textIn(query, 'who');
    const found = who === undefined ? undefined : await findListedTenant(db, scope, who);
    const all = () => listTenants(db, scope, PAGE_ROWS + 1, positionIn(query));
    const listed = who === undefined ? await all() : found ? [found] : [];
    const { rows, next } = pageOf(listed);
    const shown = rows.map((row) => [
      link(to(`people/${row.id}`), isolated(row.email)),
      isolated(row.name),
      onboardingStatus(row, now).toLowerCase(),
      moment(row.created_at),
    ]);
    // A participant may have no account yet.
    const others =
      who !== undefined && !found
        ? (await listParticipations(db, scope, comparableEmail(who))).slice(0, PAGE_ROWS)
        : [];
    const main = html`<h1>People</h1>
${filterForm(to('people'), field('who', 'Person', who ?? '', 'e-mail address or id'))}
${shown.length > 0 ? table('People with an account, newest first', ['E-mail', 'Name', 'Profile', 'Account since'], shown) : undefined}
${who !== undefined && !found ? html`<p class="lead">No account has this address or id.${others.length > 0 ? ' They take part in:' : undefined}</p>` : undefined}
${others.length > 0 ? html`<ul>${others.map((one) => html`<li>${link(to(`applications/${one.application_id}`), isolated(one.title))}</li>`)}</ul>` : undefined}
${older(t, to('people'), query, next)}`;
    return { title: 'People', main };
  }),
  page('/people/:id', readResults, personPage),
  action('/people/:id/cancel-flow', readResults, async (visit, parts): Promise<GoTo> => {
    const { param, actor, form, scope, t } = visit;
    const tenant = expectFound(await findListedTenant(parts.db, scope, param('id')), 'Person');
    const kind = oneIn(form, 'kind', ['kyc', 'eid'] as const);
    const id = textIn(form, 'flow');
    if (kind === undefined || id === undefined) throw new Refused(400, t, 'refused.flow');
    const flow = expectFound(await findFlow(parts.db, scope, kind, id), 'Flow');
    if (flow.tenant_id !== tenant.id) throw new Refused(409, t, 'refused.other-flow');
    if (!(await cancelFlow(parts, kind, id, actor))) throw new Refused(409, t, 'refused.flow-over');
    return { goTo: `people/${flow.tenant_id}`, notice: 'cancelled' };
  }),
];
