import {
  type LandlordPeriods,
  type LandlordSettings,
  type mailSettings,
  NO_SETTINGS,
  periodNames,
} from '../../core/rules/landlord-settings.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { inForce } from './api-key-states.ts';

type Flags = (typeof mailSettings)[number];

/** What applicants read about a landlord, and which mails they get. */
export type LandlordSettingsRow = Omit<LandlordSettings, Flags> & { landlord_id: string } & Record<Flags, 0 | 1>;

/** The defaults for a landlord without settings. */
export async function findLandlordSettings(db: Database, landlordId: string): Promise<LandlordSettings> {
  return settingsOf(await db('landlord_settings').where({ landlord_id: landlordId }).first());
}

/** What the landlord wants of people. */
export type Wishes = Pick<LandlordSettings, 'documents' | 'guarantor_documents' | 'rent_rule'>;

const wishesOfKey = prepared<Wishes>(`
  select documents, guarantor_documents, rent_rule from landlord_settings
  join api_keys on api_keys.landlord_id = landlord_settings.landlord_id
  where api_keys.id = ?`);

/** The wishes of the landlord to whom an API key belongs. */
export async function findWishesOfKey(db: Database, apiKeyId: string): Promise<Wishes> {
  const [wishes = NO_SETTINGS] = await wishesOfKey(db, apiKeyId);
  return wishes;
}

function settingsOf(row: LandlordSettingsRow | undefined): LandlordSettings {
  if (!row) return NO_SETTINGS;
  const { landlord_id: _, mails_lead, mails_progress, mails_reminders, ...texts } = row;
  return {
    ...texts,
    mails_lead: mails_lead === 1,
    mails_progress: mails_progress === 1,
    mails_reminders: mails_reminders === 1,
  };
}

/** Whom people ask, and the landlord's own pages. */
export type Contact = Pick<
  LandlordSettings,
  'contact_name' | 'contact_mail' | 'contact_phone' | 'privacy_url' | 'imprint_url'
>;

/** For queries that left join `landlord_settings`. */
export const contactColumns = {
  contact_name: 'landlord_settings.contact_name',
  contact_mail: 'landlord_settings.contact_mail',
  contact_phone: 'landlord_settings.contact_phone',
  privacy_url: 'landlord_settings.privacy_url',
  imprint_url: 'landlord_settings.imprint_url',
} as const;

export function contactOf({ contact_name, contact_mail, contact_phone, privacy_url, imprint_url }: Contact): Contact {
  return { contact_name, contact_mail, contact_phone, privacy_url, imprint_url };
}

/** For queries that left join `landlord_settings`. */
export const periodColumns = {
  retain_applications_days: 'landlord_settings.retain_applications_days',
  retain_documents_days: 'landlord_settings.retain_documents_days',
  retain_verifications_days: 'landlord_settings.retain_verifications_days',
  retain_analyses_days: 'landlord_settings.retain_analyses_days',
} as const;

export function periodsOf(row: LandlordPeriods): LandlordPeriods {
  const { retain_applications_days, retain_documents_days, retain_verifications_days, retain_analyses_days } = row;
  return { retain_applications_days, retain_documents_days, retain_verifications_days, retain_analyses_days };
}

/** Must match the wording of the index `landlord_settings_with_periods`. */
const HAS_PERIOD = `coalesce(${periodNames.join(', ')}) is not null`;

/** Landlords with periods of their own, by id. */
export function listLandlordPeriods(
  db: Database,
  after: string,
  limit: number,
): Promise<(LandlordPeriods & { landlord_id: string })[]> {
  return db('landlord_settings')
    .whereRaw(HAS_PERIOD)
    .where('landlord_id', '>', after)
    .orderBy('landlord_id')
    .limit(limit)
    .select('landlord_id', ...periodNames);
}

/** Omitted settings keep their value; null unsets a text. The caller has locked the landlord. @returns false when nothing changed */
export async function setLandlordSettings(
  trx: Transaction,
  landlordId: string,
  change: Partial<LandlordSettings>,
): Promise<boolean> {
  const before = await findLandlordSettings(trx, landlordId);
  const next = { ...before, ...change };
  if (JSON.stringify(next) === JSON.stringify(before)) return false;
  const flag = (name: Flags) => (next[name] ? (1 as const) : (0 as const));
  const row: LandlordSettingsRow = {
    ...next,
    landlord_id: landlordId,
    mails_lead: flag('mails_lead'),
    mails_progress: flag('mails_progress'),
    mails_reminders: flag('mails_reminders'),
  };
  await trx('landlord_settings').insert(row).onConflict('landlord_id').merge();
  return true;
}

/** The ids of landlords with an API key in force whom applicants can neither mail nor call. */
export function listWithoutContact(db: Database, now: Date, limit: number): Promise<string[]> {
  return db('landlords')
    .leftJoin('landlord_settings', 'landlord_settings.landlord_id', 'landlords.id')
    .whereNull('contact_mail')
    .whereNull('contact_phone')
    .whereExists(
      db('api_keys').where('api_keys.landlord_id', db.ref('landlords.id')).where(inForce(now)).select(db.raw('1')),
    )
    .orderBy('landlords.id')
    .limit(limit)
    .pluck('landlords.id');
}
