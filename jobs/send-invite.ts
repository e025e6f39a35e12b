import type { Runtime } from './runtime.ts';

/** Sends one participant's invitation (product document 4.2, rule 4). The mail carries the invite's id. */
export async function sendInvite({ db, providers, now }: Runtime, id: string): Promise<void> {
  const invite = await db('invites')
    .join('participants', 'participants.id', 'invites.participant_id')
    .join('applications', 'applications.id', 'participants.application_id')
    .where('invites.id', id)
    .first('participants.email', 'applications.title');
  if (!invite) throw new Error(`Invite ${id} has no participant.`);
  await providers.mail.send({
    id,
    to: invite.email,
    subject: `You are invited to apply: ${invite.title}`,
    text: inviteText(invite.title),
  });
  await db('invites')
    .where({ id, status: 'pending' })
    .update({ status: 'sent', due_at: null, finished_at: now().toISOString() });
}

function inviteText(title: string): string {
  return [
    'Hello,',
    '',
    'somebody added you to a rental application:',
    '',
    `    ${title}`,
    '',
    'You apply together. The person who leads the application will tell you what comes next.',
    'If you do not know what this is about, you can ignore this mail.',
    '',
  ].join('\n');
}
