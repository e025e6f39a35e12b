import { withClaim } from './claim.ts';
import type { Worker } from './queue.ts';
import type { Runtime } from './runtime.ts';

const LEASE_SECONDS = 60;

/** Sends one participant's invitation (product document 4.2, rule 4). The mail carries the invite's id. */
export function createSendInvite(runtime: Runtime): Worker {
  const { db, providers, now } = runtime;
  const end = (id: string, status: 'sent' | 'failed') =>
    db('invites').where({ id, status: 'pending' }).update({ status, due_at: null, finished_at: now().toISOString() });
  return {
    run: (id) =>
      withClaim(runtime, 'invites', id, LEASE_SECONDS, async () => {
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
        await end(id, 'sent');
      }),
    exhausted: async (id) => {
      await end(id, 'failed');
    },
  };
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
