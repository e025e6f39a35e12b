import { type Observation, ok, problem, warning } from '../../core/conditions/observation.ts';
import type { Config } from '../../core/settings/config.ts';
import { DAY_MS, HOUR_MS, isoAfter, MINUTE_MS } from '../../core/time.ts';
import { listExpiringKeys } from '../../db/access/api-keys.ts';
import { listWithoutContact } from '../../db/access/landlord-settings.ts';
import type { Database } from '../../db/connection/database.ts';
import { oldestPiece } from '../../db/documents/upload-pieces.ts';
import { listFailingWebhooks } from '../../db/webhooks/failing-webhooks.ts';
import type { Observers } from './look.ts';

const FAILING_MS = 10 * MINUTE_MS;
const EXPIRING_MS = 7 * DAY_MS;
const ABANDONED_MS = 26 * HOUR_MS;
const MAX_LISTED = 1_000;
const MAX_NAMED = 3;

type OfLandlords = Pick<Observers, 'failing-webhooks' | 'contacts' | 'expiring-keys' | 'upload-pieces'>;

/** What concerns single landlords and their API keys. */
export function ofLandlords(db: Database, { mode }: Pick<Config, 'mode'>, now: Date): OfLandlords {
  return {
    'failing-webhooks': () => failingWebhooks(db, now),
    contacts: () => contacts(db, mode, now),
    'expiring-keys': () => expiringKeys(db, now),
    'upload-pieces': () => uploadPieces(db, now),
  };
}

async function failingWebhooks(db: Database, now: Date): Promise<Observation> {
  const failing = await listFailingWebhooks(db, isoAfter(now, -FAILING_MS), now, MAX_LISTED);
  if (failing.length === 0) return ok('No webhook has failed for 10 minutes.');
  const byKey = Map.groupBy(failing, ({ landlord_id, client_id }) => `API key ${client_id} of landlord ${landlord_id}`);
  const named = [...byKey].map(([key, ofKey]) => `${ofKey.length} of ${key} since ${ofKey[0]?.failing_since}`);
  return problem(
    `Webhooks that have answered nothing but failures: ${atMost(failing.length)} (${listed(named)}).`,
    undefined,
    'webhook list --status failing',
  );
}

async function contacts(db: Database, mode: Config['mode'], now: Date): Promise<Observation> {
  if (mode !== 'live') return ok('Only landlords in live use need one.');
  const without = await listWithoutContact(db, now, MAX_LISTED);
  if (without.length === 0) return ok('Every landlord with an API key in force names a contact.');
  return warning(
    `Landlords whose applicants read no contact: ${atMost(without.length)} (${listed(without)}).`,
    undefined,
    'landlord settings <landlord id> --contact-mail <address>',
  );
}

async function expiringKeys(db: Database, now: Date): Promise<Observation> {
  const expiring = await listExpiringKeys(db, { from: now.toISOString(), to: isoAfter(now, EXPIRING_MS) }, MAX_LISTED);
  if (expiring.length === 0) return ok('No API key expires within a week.');
  const named = expiring.map(({ client_id, expires_at }) => `${client_id} at ${expires_at}`);
  return warning(
    `API keys that expire within a week: ${atMost(expiring.length)} (${listed(named)}).`,
    undefined,
    'key list',
  );
}

async function uploadPieces(db: Database, now: Date): Promise<Observation> {
  const oldest = await oldestPiece(db);
  if (oldest === undefined || oldest >= isoAfter(now, -ABANDONED_MS))
    return ok('No piece of an abandoned upload is left.');
  return problem(`Pieces of abandoned uploads are left. The oldest is from ${oldest}.`);
}

function atMost(count: number): string {
  return count >= MAX_LISTED ? `${MAX_LISTED} or more` : String(count);
}

function listed(names: readonly string[]): string {
  return names.length > MAX_NAMED ? `${names.slice(0, MAX_NAMED).join('; ')}; and more` : names.join('; ');
}
