import type { DeskTexts } from '../../core/texts/desk-texts.ts';
import type { ConsoleAccountRow } from '../../db/access/console-accounts.ts';
import type { PasskeyOffice, PasskeyOwner } from '../access/passkeys.ts';

export const CONSOLE_TITLE = 'Screening console';

/** @param url at which browsers reach the console */
export function consolePasskeys(url: string): PasskeyOffice {
  return { of: 'account_id', url: () => url };
}

/** @param url at which browsers reach the console */
export function passkeysOfOperator(
  url: string,
  { id, name, mail_address }: ConsoleAccountRow,
  sessionId: string,
  t: DeskTexts,
): PasskeyOwner {
  const office = consolePasskeys(url);
  return {
    of: office.of,
    id,
    office,
    actor: { kind: 'operator', id: name },
    sessionId,
    names: { rpName: CONSOLE_TITLE, userName: `${name} (${CONSOLE_TITLE})`, userDisplayName: name },
    notices:
      mail_address === null
        ? undefined
        : {
            of: { kind: 'operator-passkey', office: 'console' },
            to: mail_address,
            t,
            office: CONSOLE_TITLE,
            page: `${url}/console/account`,
          },
  };
}
