import { checkCallerAddress, hostOf } from '../core/addresses/caller-address.ts';
import { ValidationError } from '../core/errors.ts';
import { RULE_MESSAGES } from '../core/messages.ts';
import type { Runtime } from './runtime.ts';

/**
 * Checks a caller's address by its text and, in live, by where its name leads, if name servers say so in a moment. Wildcard names such as
 * those of nip.io lead to private addresses. A name that does not resolve yet is accepted: each delivery checks it again.
 * @throws ValidationError naming `field`
 */
export async function checkAddress(
  field: string,
  text: string,
  { addresses, providers }: Pick<Runtime, 'addresses' | 'providers'>,
): Promise<void> {
  checkCallerAddress(field, text, addresses);
  if (addresses.requireHttps && (await providers.outbound.isKnownPrivate(text)))
    throw new ValidationError([{ field, message: RULE_MESSAGES.notPublic(hostOf(new URL(text))) }]);
}
