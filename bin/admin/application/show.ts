import type { Command } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { onboardingStatus } from '../../../core/rules/onboarding.ts';
import { type ListedParticipant, listParticipants } from '../../../db/applications/application-lists.ts';
import type { InviteRow } from '../../../db/applications/invites.ts';
import type { OnboardingLinkRow } from '../../../db/applications/onboarding-links.ts';
import { list, record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { applicationFields, namedApplication } from './named.ts';
import { paymentFields } from './payments.ts';

export function addShowCommand(application: Command): void {
  application
    .command('show')
    .description('show an application: present and former participants, their progress, and payments')
    .argument('<application>', 'the id of the application', canonicalId)
    .addHelpText('after', example('application show <application id>'))
    .action(show);
}

const show = withRuntime(async ({ db, now }, id: string) => {
  const moment = now();
  const application = await namedApplication(db, id);
  const participants = (await listParticipants(db, id)).map((row) => view(row, moment));
  const fields = applicationFields(application);
  const { text: people } = list(participants.map(forPeople), {
    columns: ['email', 'name', 'role', 'consent', 'invitation', 'onboarding', 'link'],
    cut: ['name', 'email'],
    drop: ['link', 'invitation', 'onboarding'],
    empty: 'It has no participants.',
  });
  const payments = participants.flatMap((row) => row.payments);
  const paid = list(payments, {
    columns: ['payment_id', 'email', 'amount', 'is_protected', 'status'],
    cut: ['email'],
    drop: ['is_protected'],
    empty: '',
  });
  const parts = [record(application.title, fields).text, people, ...(payments.length > 0 ? [paid.text] : [])];
  return { json: { ...fields, participants }, text: parts.join('\n\n') };
});

function view(row: ListedParticipant, now: Date) {
  const { id, email, name, invite, onboardingLink } = row;
  return {
    participant_id: id,
    email,
    name,
    is_lead: row.is_lead === 1,
    is_guarantor: row.is_guarantor === 1,
    removed_at: row.removed_at,
    consent_status: row.consent_status,
    invite_id: invite?.id ?? null,
    invitation: invitationState(invite, now),
    onboarding_status: onboardingStatus(row, now),
    onboarding_link: onboardingState(onboardingLink, now),
    tenant_id: row.tenant_id,
    payments: row.payments.map((payment) => paymentFields(payment, row)),
  };
}

/** A narrow table with short headings. */
function forPeople(row: ReturnType<typeof view>) {
  const { email, name, is_lead, is_guarantor, removed_at, consent_status, invitation } = row;
  const roles = [is_lead && 'lead', is_guarantor && 'guarantor'].filter(Boolean).join(', ');
  return {
    email,
    name,
    role: removed_at === null ? roles : 'removed',
    consent: consent_status,
    invitation,
    onboarding: row.onboarding_status,
    link: row.onboarding_link,
  };
}

/** The state of the mail until it is sent, then the state of its link. */
function invitationState(invite: InviteRow | undefined, now: Date): string | null {
  if (!invite) return null;
  const { status, answered_at, expires_at } = invite;
  if (answered_at !== null) return 'answered';
  if (status !== 'sent') return status;
  return expires_at !== null && expires_at <= now.toISOString() ? 'expired' : 'sent';
}

function onboardingState(link: OnboardingLinkRow | undefined, now: Date): string | null {
  if (!link) return null;
  if (link.used_at !== null) return 'used';
  return link.expires_at <= now.toISOString() ? 'expired' : 'open';
}
