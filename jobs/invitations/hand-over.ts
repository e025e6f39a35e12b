import { hashSecret, ifOpened, sealText, unsealText } from '../../core/secrets/secrets.ts';
import { isoAfter } from '../../core/time.ts';
import { useHandOver } from '../../db/applications/hand-overs.ts';
import type { Runtime } from '../runtime.ts';

export const HAND_OVER_MINUTES = 10;

type Keys = Pick<Runtime, 'keys' | 'now'>;

/** The page at which the phone continues. */
export type HandOverPlace = 'documents' | 'home';

/**
 * A code that stands for a link's token, to continue on another device. Nothing is stored until it is used, so each view of a page may show
 * a new one.
 */
export function handOverCode(token: string, { keys, now }: Keys, to: HandOverPlace = 'documents'): string {
  const sealed = sealText(`${PREFIX}${isoAfter(now(), HAND_OVER_MINUTES * 60_000)} ${token} ${to}`, keys.encryption);
  return Buffer.from(sealed, 'base64').toString('base64url');
}

/** Whether a code has not expired; it may have been used. */
export function isHandOver(code: string, runtime: Keys): boolean {
  return contentOf(code, runtime) !== undefined;
}

/** Consumes a code. @returns the token of the link and where to continue; undefined when the code is invalid, used or expired */
export async function takeHandOver(
  code: string,
  runtime: Keys & Pick<Runtime, 'db'>,
): Promise<{ token: string; to: HandOverPlace } | undefined> {
  const found = contentOf(code, runtime);
  if (!found) return undefined;
  const row = { code_hash: hashSecret(found.canonical), expires_at: found.expiresAt };
  return (await useHandOver(runtime.db, row)) ? { token: found.token, to: found.to } : undefined;
}

/** No other sealed content has this prefix. */
const PREFIX = 'hand-over ';

function contentOf(code: string, { keys, now }: Keys) {
  const sealed = Buffer.from(code, 'base64url');
  const text = ifOpened(() => unsealText(sealed.toString('base64'), keys.encryption));
  if (!text?.startsWith(PREFIX)) return undefined;
  const [expiresAt = '', token = '', place] = text.slice(PREFIX.length).split(' ');
  const to: HandOverPlace = place === 'home' ? 'home' : 'documents';
  // Several texts decode to the same bytes.
  return expiresAt > now().toISOString()
    ? { token, to, expiresAt, canonical: sealed.toString('base64url') }
    : undefined;
}
