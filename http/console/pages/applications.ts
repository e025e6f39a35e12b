import { Conflict, ValidationError } from '../../../core/errors.ts';
import { html, isolated } from '../../../core/html.ts';
import { comparableEmail } from '../../../core/rules/participants.ts';
import { sentence } from '../../../core/text.ts';
import {
  countParticipants,
  findListedApplication,
  listApplications,
} from '../../../db/applications/application-lists.ts';
import { findActiveParticipant, lockAnyApplication } from '../../../db/applications/applications.ts';
import { findInvite } from '../../../db/applications/invites.ts';
import { type Answer, recordConsent } from '../../../jobs/invitations/consent.ts';
import { retryInvite } from '../../../jobs/invitations/invite.ts';
import { oneIn, PAGE_ROWS, pageOf, positionIn, textIn } from '../query.ts';
import { action, expectFound, type GoTo, page } from '../route.ts';
import { field, filterForm } from '../views/forms.ts';
import { link, moment, older, table } from '../views/parts.ts';
import { applicationPage } from './application.ts';
import { applicationIncomePage } from './application-income.ts';
import { personMailActions } from './person-mails.ts';

const ANSWERS: readonly Answer[] = ['accepted', 'rejected'];

export const applicationRoutes = [
  page('/applications', async ({ query, to }, { db }) => {
    const email = textIn(query, 'email');
    const [landlordId, clientId, before] = [textIn(query, 'landlord'), textIn(query, 'client_id'), positionIn(query)];
    const filter = { landlordId, clientId, comparableEmail: email && comparableEmail(email), before };
    const { rows, next } = pageOf(await listApplications(db, filter, PAGE_ROWS + 1));
    const countsOf = await countParticipants(
      db,
      rows.map(({ id }) => id),
    );
    const shown = rows.map((row) => {
      const { participants, pending } = countsOf(row.id);
      return [
        link(to(`applications/${row.id}`), isolated(row.title)),
        row.lead_email === null ? null : isolated(row.lead_email),
        isolated(row.landlord_name),
        participants,
        pending > 0 ? pending : 'none',
        moment(row.created_at),
      ];
    });
    const columns = ['Title', 'Lead', 'Landlord', 'Participants', 'Unanswered', 'Created'];
    const main = html`<h1>Applications</h1>
${filterForm(
  to('applications'),
  html`${field('email', 'Participant', email ?? '', 'e-mail address')}${field('landlord', 'Landlord', landlordId ?? '', 'id')}${field('client_id', 'API key', clientId ?? '', 'client_id')}`,
)}
${shown.length > 0 ? table('Applications, newest first', columns, shown) : html`<p class="lead">There are no such applications.</p>`}
${older(to('applications'), query, next)}`;
    return { title: 'Applications', main };
  }),
  page('/applications/:id', applicationPage),
  page('/applications/:id/income', applicationIncomePage),
  action('/applications/:id/consent', async ({ param, actor, form }, console): Promise<GoTo> => {
    const { id } = expectFound(await findListedApplication(console.db, param('id')), 'Application');
    const [email, answer] = [textIn(form, 'email'), oneIn(form, 'answer', ANSWERS)];
    if (email === undefined || answer === undefined)
      throw new ValidationError([], 'Say who told you, and whether they accept or decline.');
    const { former } = await recordConsent(
      console,
      async (trx) => {
        await lockAnyApplication(trx, id);
        return findActiveParticipant(trx, id, email);
      },
      answer,
      actor,
    );
    const notice = answer === 'accepted' ? 'accepted' : 'declined';
    return { goTo: `applications/${id}`, notice: former === answer ? 'unchanged' : notice };
  }),
  action('/applications/:id/invite-again', async ({ param, actor, form }, console): Promise<GoTo> => {
    const { id } = expectFound(await findListedApplication(console.db, param('id')), 'Application');
    const inviteId = textIn(form, 'invite');
    if (inviteId === undefined) throw new ValidationError([], 'Say which invitation to send again.');
    const invite = expectFound(await findInvite(console.db, inviteId), 'Invitation');
    if (invite.application_id !== id) throw new Conflict('The invitation is for another application.');
    const refusal = await retryInvite(console, invite, actor);
    if (refusal) throw new Conflict(sentence(`It was not sent again: ${refusal}`));
    return { goTo: `applications/${id}`, notice: 'invited' };
  }),
  ...personMailActions,
];
