import { comparableEmail } from '../../core/rules/participants.ts';
import { hashSecret } from '../../core/secrets/secrets.ts';
import { findInvited } from '../../db/applications/invited.ts';
import { findInviteByToken } from '../../db/applications/invites.ts';
import { findOnboardingLink } from '../../db/applications/onboarding-links.ts';
import { getTenant } from '../../db/applications/tenants.ts';
import type { Runtime } from '../runtime.ts';

/** The person and the API key of a check. */
export interface Checked {
  tenant_id: string;
  api_key_id: string | null;
}

const linkBehind = { invitation: findInviteByToken, onboarding: findOnboardingLink };

export type HomePlace = keyof typeof linkBehind;

/** Whether a link opens the home of the person of a check. Another person may have opened theirs in the same browser. */
export async function isHomeOf(
  { db }: Pick<Runtime, 'db'>,
  [place, token]: readonly [HomePlace, token: string],
  { tenant_id, api_key_id }: Checked,
): Promise<boolean> {
  const link = await linkBehind[place](db, hashSecret(token));
  const invited = link && (await findInvited(db, link.participant_id));
  if (!invited || invited.apiKeyId !== api_key_id) return false;
  const { email } = await getTenant(db, tenant_id);
  return comparableEmail(invited.email) === comparableEmail(email);
}
