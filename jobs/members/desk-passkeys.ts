import { newId } from '../../core/ids.ts';
import type { DeskTexts } from '../../core/texts/desk-texts.ts';
import { countMemberMail } from '../../db/access/member-mails.ts';
import type { ListedMember } from '../../db/access/members.ts';
import { MAX_PASSKEYS } from '../../db/access/passkeys.ts';
import type { PasskeyOffice, PasskeyOwner } from '../access/passkeys.ts';
import type { Runtime } from '../runtime.ts';

/** How many passkeys a member adds within a day: a mail tells them of each, and of each that was removed. */
const MAX_ADDED_A_DAY = 2 * MAX_PASSKEYS;

export function deskPasskeys(runtime: Pick<Runtime, 'publicUrl'>): PasskeyOffice {
  return { of: 'member_id', url: () => runtime.publicUrl() };
}

export function passkeysOfMember(
  runtime: Pick<Runtime, 'publicUrl'>,
  member: ListedMember,
  sessionId: string,
  t: DeskTexts,
): PasskeyOwner {
  const { id, name, mail_address, landlord_id: landlordId, landlord_name } = member;
  const office = deskPasskeys(runtime);
  return {
    of: office.of,
    id,
      of: { kind: 'member-passkey', office: { landlordId } },
    office,
    actor: { kind: 'member', id },
    sessionId,
    // One address may be a member of several landlords.
    names: { rpName: landlord_name, userName: `${mail_address} (${landlord_name})`, userDisplayName: name },
    countAdded: async (trx, now) => {
      const notice = { ...member, id: newId() };
      return (await countMemberMail(trx, 'notice', notice, { perMailbox: MAX_ADDED_A_DAY }, now)) === undefined;
    },
    notices: {
      to: mail_address,
      t,
      office: landlord_name,
      page: `${office.url()}/desk/account`,
    },
  };
}
