import type { DeskTexts } from '../../core/texts/desk-texts.ts';
import type { ListedMember } from '../../db/access/members.ts';
import type { PasskeyOffice, PasskeyOwner } from '../access/passkeys.ts';
import type { Runtime } from '../runtime.ts';

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
    office,
    actor: { kind: 'member', id },
    sessionId,
    // One address may be a member of several landlords.
    names: { rpName: landlord_name, userName: `${mail_address} (${landlord_name})`, userDisplayName: name },
    notices: {
      of: { kind: 'member-passkey', office: { landlordId } },
      to: mail_address,
      t,
      office: landlord_name,
      page: `${office.url()}/desk/account`,
    },
  };
}
