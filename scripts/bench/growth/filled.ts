import { join } from 'node:path';
import { build } from '../../../bin/service/build.ts';
import { issueToken } from '../../../core/secrets/tokens.ts';
import { readConfig } from '../../../core/settings/config.ts';
import { type Database, disconnect, open } from '../../../db/connection/connect.ts';
import { bulkId, dialectOf, inBulk, insertBulk, orderedSpread } from '../../../harness/database/bulk-rows.ts';
import type { Size } from '../api/furnish.ts';
import type { Prepared } from '../api/prepared.ts';
import { settings } from '../api/settings.ts';
import type { Place } from '../databases.ts';
import { withoutIndexes } from './without-indexes.ts';

/** A database that has gathered so much. What is in it is known by its number, from 1. */
export interface Filled extends Prepared {
  size: Size;
  fillSeconds: number;
  /** Of the key that has the application. */
  tokenFor(application: number): string;
  applicationId(application: number): string;
  /** The address of a participant, by their place from 1. */
  addressOf(application: number, place: number): string;
  /** Of the landlord of all keys. */
  workspaceId: string;
  propertyId: string;
}

/** Creations of one key take turns. */
const KEYS = 16;
/** One workspace for so many applications, with one property each. */
const APPLICATIONS_A_WORKSPACE = 10;
const WORKSPACES_A_LANDLORD = 10;

/** Made by statements that make many rows. */
export async function filled(place: Place, size: Size): Promise<Filled> {
  const startedAt = performance.now();
  const url = await place.make();
  const config = readConfig(settings(url, join(place.folder, 'prepared')));
  // All that a first start makes: the tables, the queue's own, and the note of the encryption key.
  const { close } = await build({ ...config, logLevel: 'silent' });
  await close();
  const db = await open(config.database);
  if (place.name === 'sqlite') {
    // As the service leaves them, most of the time would be spent on pages that come and go.
    await db.raw('pragma cache_size = -1000000');
    await db.raw('pragma synchronous = off');
  }
  await inBulk(db, (trx) => withoutIndexes(trx, () => addRows(trx, size)));
  await db.raw(place.name === 'postgres' ? 'vacuum analyze' : 'pragma wal_checkpoint(truncate)');
  await disconnect(db);

  const { application, participants, workspace } = spreadsOf(size);
  const tokens = Array.from({ length: KEYS }, (_, index) =>
    issueToken(bulkId('key', index + 1), config.keys.token, new Date()),
  );
  const tokenFor = (number: number) => tokens[number % KEYS] ?? '';
  const applicationId = (number: number) => bulkId('application', number, application);
  return {
    place,
    url,
    size,
    callers: [{ token: tokenFor(1), applicationIds: [applicationId(1)] }],
    copy: () => place.make(url),
    fillSeconds: (performance.now() - startedAt) / 1000,
    tokenFor,
    applicationId,
    addressOf: (number, position) => address(String((number - 1) * participants + position)),
    workspaceId: bulkId('workspace', 1, workspace),
    propertyId: bulkId('property', 1, workspace),
  };
}

function spreadsOf({ applications, participants }: Size) {
  return {
    participants,
    application: orderedSpread(applications),
    participant: orderedSpread(applications * participants),
    workspace: orderedSpread(applications / APPLICATIONS_A_WORKSPACE),
  };
}

const address = (number: string) => `person${number}@bulk.example`;
/** As long as a digest. */
const digest = (id: string) => `${id} || '0123456789012345678901234567'`;

async function addRows(db: Database, size: Size): Promise<void> {
  const { applications, participants: each } = size;
  const { application, participant, workspace } = spreadsOf(size);
  const { id, minutesAgo } = dialectOf(db);
  const at = minutesAgo('100');
  const workspaces = applications / APPLICATIONS_A_WORKSPACE;
  const landlordOf = (number: string) => id('landlord', `(${number}) / ${WORKSPACES_A_LANDLORD}`, workspace);
  const addressOf = (number: string) => `'${address(`' || (${number}) || '`)}'`;
  const [person, lead] = [addressOf('i'), addressOf(`(i - 1) * ${each} + 1`)];
  const add = (table: string, amount: number, columns: Record<string, string>) =>
    insertBulk(db, table, amount, columns);

  await add('landlords', workspaces / WORKSPACES_A_LANDLORD + 1, {
    id: id('landlord', 'i - 1', workspace),
    name: `'Landlord ' || i`,
    created_at: at,
  });
  await add('api_keys', KEYS, {
    id: id('key', 'i'),
    client_id: id('other', 'i'),
    client_secret_hash: `''`,
    landlord_id: landlordOf('0'),
    name: `'Key ' || i`,
    created_at: at,
  });
  await add('workspaces', workspaces, {
    workspace_id: id('workspace', 'i', workspace),
    landlord_id: landlordOf('i'),
    workspace_name: `'Workspace ' || i`,
    created_at: at,
  });
  await add('properties', workspaces, {
    property_id: id('property', 'i', workspace),
    workspace_internal_id: 'i',
    property_reference: `'Ref ' || i`,
  });
  await add('applications', applications, {
    id: id('application', 'i', application),
    api_key_id: id('key', `i % ${KEYS} + 1`),
    title: `'Flat ' || i`,
    active_email_key: digest(id('other', 'i', application)),
    created_at: at,
    updated_at: at,
  });
  await add('participants', applications * each, {
    id: id('participant', 'i', participant),
    application_id: id('application', `(i - 1) / ${each} + 1`, application),
    position: `(i - 1) % ${each}`,
    email: person,
    comparable_email: person,
    name: `'Person ' || i`,
    is_lead: `case when (i - 1) % ${each} = 0 then 1 else 0 end`,
    is_guarantor: '0',
    consent_status: `'accepted'`,
  });
  await add('tenants', applications, {
    id: id('tenant', 'i', application),
    email: lead,
    comparable_email: lead,
    name: `'Person ' || i`,
    profile_completed_at: at,
    created_at: at,
  });
  await add('invites', applications, {
    id: id('flow', 'i', application),
    participant_id: id('participant', `i * ${each}`, participant),
    token_hash: digest(id('other', 'i', application)),
    status: `'sent'`,
    created_at: at,
    finished_at: at,
  });
  await add('audit_entries', applications, {
    at,
    actor_kind: `'api_key'`,
    actor: id('key', `i % ${KEYS} + 1`),
    action: `'application.create'`,
    resource_id: id('application', 'i', application),
    position: 'i',
    hash: digest(id('other', 'i', application)),
  });
}
