import { InvalidArgumentError } from 'commander';
import type { SignInLink } from '../../../jobs/access/sign-in.ts';
import { shortMoment } from './output.ts';
import { parseText } from './values.ts';

/** What the commands about members and about console accounts share: both sign in with links. */

export function parseMail(text: string): string {
  if (/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text)) return parseText(text);
  throw new InvalidArgumentError('Give one mail address, such as ana@letting.example.');
}

/** @param url the address of the office */
export function linkFields(url: string, link: SignInLink | undefined) {
  return {
    sign_in_url: link === undefined ? null : `${url}${link.path}`,
    link_expires_at: link?.expiresAt ?? null,
  };
}

/** The columns of a list that say whether someone may sign in, and when they last did. */
export function signInColumns(row: { disabled_at: string | null; last_signed_in_at: string | null }, now: Date) {
  return {
    status: row.disabled_at === null ? 'active' : 'disabled',
    last_signed_in_at: shortMoment(row.last_signed_in_at, now),
  };
}
