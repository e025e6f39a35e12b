import { HOUR_MS, isoAfter, MINUTE_MS } from '../../core/time.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';

/** Those who sign in at an office, and what they sign in with, by the column that names the holder. */
const TABLES = {
  member_id: {
    holders: 'members',
    links: 'member_links',
    sessions: 'member_sessions',
    passkeys: 'member_passkeys',
    forms: 'member_forms',
    notices: 'member_notices',
  },
  account_id: {
    holders: 'console_accounts',
    links: 'console_links',
    sessions: 'console_sessions',
    passkeys: 'account_passkeys',
    forms: 'account_forms',
    notices: 'account_notices',
  },
} as const;

/** Members of landlords, or operators. */
export type Holders = keyof typeof TABLES;

/** One who signs in, with a link or a passkey. */
export interface Holder {
  of: Holders;
  id: string;
}

export function holdersOf(of: Holders) {
  return TABLES[of];
}

/** A single-use link that signs its holder in. */
export interface LinkRow {
  token_hash: string;
  /** Below the path of the office; null for its first page. */
  opens: string | null;
  created_at: string;
  expires_at: string;
}
export type MemberLinkRow = LinkRow & { member_id: string };
export type ConsoleLinkRow = LinkRow & { account_id: string };

export interface SessionRow {
  token_hash: string;
  /** Names the session in the holder's own list; null, like the browser, when a version before passkeys opened it at the console. */
  id: string | null;
  /** What the browser calls itself, so that the holder recognizes it. */
  browser: string | null;
  /** When the holder last proved who they are. */
  created_at: string;
  /** Updated at most once a minute. */
  used_at: string;
  expires_at: string;
}
export type MemberSessionRow = SessionRow & { member_id: string; id: string; browser: string };
export type ConsoleSessionRow = SessionRow & { account_id: string };

/** A session ends after this time without use. */
export const IDLE_MS: Readonly<Record<Holders, number>> = { member_id: 2 * HOUR_MS, account_id: 30 * MINUTE_MS };
/** How often the use of a session is noted at most. */
export const NOTE_EVERY_MS = MINUTE_MS;

/** Serializes changes of what a holder signs in with until the transaction ends. */
export async function lockHolder(trx: Transaction, { of, id }: Holder): Promise<void> {
  await trx(TABLES[of].holders).where({ id }).forNoKeyUpdate().first('id');
}

export async function noteSignIn(trx: Transaction, { of, id }: Holder, now: Date): Promise<void> {
  await trx(TABLES[of].holders).where({ id }).update({ last_signed_in_at: now.toISOString() });
}

/** Disables a holder, or enables them again; also ends what they sign in with and the form that was kept for them. @returns false when nothing changed */
export async function setDisabled(trx: Transaction, { of, id }: Holder, at: Date | null): Promise<boolean> {
  const rows = trx(TABLES[of].holders).where({ id });
  const changed = await (at ? rows.whereNull('disabled_at') : rows.whereNotNull('disabled_at')).update({
    disabled_at: at?.toISOString() ?? null,
  });
  const { links, sessions, passkeys, forms } = TABLES[of];
  for (const table of [links, sessions, passkeys, forms]) await trx(table).where(of, id).delete();
  return changed === 1;
}

/** The caller has locked the holder. */
export async function insertLink(trx: Transaction, { of, id }: Holder, link: LinkRow): Promise<void> {
  await trx(TABLES[of].links).insert({ ...link, [of]: id });
}

export async function isLinkOpen(db: Database, of: Holders, tokenHash: string, now: Date): Promise<boolean> {
  const open = db(TABLES[of].links).where({ token_hash: tokenHash }).where('expires_at', '>', now.toISOString());
  return (await open.first('token_hash')) !== undefined;
}

/** How many links of a holder are valid. Deletes those that have expired. */
export async function countOpenLinks(trx: Transaction, { of, id }: Holder, now: Date): Promise<number> {
  const links = () => trx<LinkRow>(TABLES[of].links).where(of, id);
  await links().where('expires_at', '<=', now.toISOString()).delete();
  return (await links().pluck('token_hash')).length;
}

export async function deleteLink(db: Database, of: Holders, tokenHash: string): Promise<void> {
  await retried(db, () => db(TABLES[of].links).where({ token_hash: tokenHash }).delete());
}

/** Ends all links of a holder. */
export async function deleteLinks(trx: Transaction, { of, id }: Holder): Promise<void> {
  await trx(TABLES[of].links).where(of, id).delete();
}

/** Consumes a link. @returns undefined when it was used concurrently, has expired, or its holder is disabled */
export async function takeLink(
  trx: Transaction,
  of: Holders,
  tokenHash: string,
  now: Date,
): Promise<{ holder: Holder; opens: string | null } | undefined> {
  const links = () => trx<LinkRow>(TABLES[of].links).where({ token_hash: tokenHash });
  const link = await links().first<(LinkRow & { holder: string }) | undefined>('*', `${of} as holder`);
  const isTaken = link && (await links().delete()) === 1;
  if (!isTaken || link.expires_at <= now.toISOString()) return undefined;
  const found = await trx(TABLES[of].holders).where({ id: link.holder }).whereNull('disabled_at').first('id');
  return found && { holder: { of, id: found.id }, opens: link.opens };
}

export async function insertSession(trx: Transaction, { of, id }: Holder, session: SessionRow): Promise<void> {
  await trx(TABLES[of].sessions).insert({ ...session, [of]: id });
}

/**
 * The condition of sessions that last, in SQL about a session, `opened`, and its `holder`: it has neither expired nor been idle for too long, and
 * the holder is not disabled. Its parameters are `lastingNow`.
 */
export const LASTING = 'opened.expires_at > ? and opened.used_at > ? and holder.disabled_at is null';

export function lastingNow(of: Holders, now: Date): [now: string, unusedSince: string] {
  return [now.toISOString(), isoAfter(now, -IDLE_MS[of])];
}

function lasting(db: Database, of: Holders, now: Date) {
  const { sessions, holders } = TABLES[of];
  return db<SessionRow>({ opened: sessions })
    .join({ holder: holders }, 'holder.id', `opened.${of}`)
    .whereRaw(LASTING, lastingNow(of, now));
}

/** @returns the sessions among these that last */
export async function lastingSessions(
  db: Database,
  of: Holders,
  tokenHashes: readonly string[],
  now: Date,
): Promise<Set<string>> {
  return new Set<string>(await lasting(db, of, now).whereIn('token_hash', tokenHashes).pluck('token_hash'));
}

/** The newest first. */
export function listSessions(db: Database, { of, id }: Holder, now: Date, limit: number): Promise<SessionRow[]> {
  return lasting(db, of, now)
    .where(of, id)
    .orderBy('opened.created_at', 'desc')
    .limit(limit)
    .select<SessionRow[]>('opened.*');
}

export async function deleteSession(db: Database, of: Holders, tokenHash: string): Promise<void> {
  await retried(db, () => db(TABLES[of].sessions).where({ token_hash: tokenHash }).delete());
}

/** Ends a session of a holder. @returns false when there was none */
export async function endSession(db: Database, { of, id: holderId }: Holder, id: string): Promise<boolean> {
  return (await retried(db, () => db(TABLES[of].sessions).where({ id }).where(of, holderId).delete())) === 1;
}

/** Ends all sessions of a holder but the one with the id. @returns false when there were none */
export async function endOtherSessions(db: Database, { of, id: holderId }: Holder, id: string): Promise<boolean> {
  const others = () => db(TABLES[of].sessions).where(of, holderId).whereRaw('id is distinct from ?', [id]).delete();
  return (await retried(db, others)) > 0;
}

export async function deleteExpiredSessions(trx: Transaction, of: Holders, now: Date): Promise<void> {
  await trx(TABLES[of].sessions).where('expires_at', '<=', now.toISOString()).delete();
}
