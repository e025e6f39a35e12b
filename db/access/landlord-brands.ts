import { contentDigest } from '../../core/content-digest.ts';
import { type Language, readLanguage } from '../../core/texts/languages.ts';
import type { Database, Transaction } from '../connection/database.ts';

/** How people recognize a landlord. */
export interface LandlordBrandRow {
  landlord_id: string;
  /** Such as `#0a7d33`; null for the service's own. */
  colour: string | null;
  /** A PNG that we encoded ourselves. */
  logo: Buffer | null;
  /** Identifies the logo in URLs; it changes with the content. */
  logo_digest: string | null;
  logo_width: number | null;
  logo_height: number | null;
  /** The language of mails to people; null for English. */
  language: string | null;
}

export interface Logo {
  content: Buffer;
  width: number;
  height: number;
}

/** What pages show beside the landlord's name. A null part falls back to the service's own. */
export interface Brand {
  colour: string | null;
  logo: { digest: string; width: number; height: number } | null;
  /** The language of mails to people; a page uses its reader's language. */
  language: Language | null;
}

/** For queries that left join `landlord_brands`. */
export const brandColumns = {
  colour: 'landlord_brands.colour',
  logo_digest: 'landlord_brands.logo_digest',
  logo_width: 'landlord_brands.logo_width',
  logo_height: 'landlord_brands.logo_height',
  language: 'landlord_brands.language',
} as const;

export function brandOf(row: Pick<LandlordBrandRow, keyof typeof brandColumns>): Brand {
  const { colour, logo_digest: digest, logo_width: width, logo_height: height } = row;
  const language = readLanguage(row.language ?? '') ?? null;
  return { colour, logo: digest && width && height ? { digest, width, height } : null, language };
}

/** Undefined for a landlord without a brand. */
export function findLandlordBrand(db: Database, landlordId: string): Promise<LandlordBrandRow | undefined> {
  return db('landlord_brands').where({ landlord_id: landlordId }).first();
}

export async function findLogo(db: Database, digest: string): Promise<Buffer | undefined> {
  const row = await db('landlord_brands').where({ logo_digest: digest }).first('logo');
  return row?.logo ?? undefined;
}

/** Omitted parts keep their value; null falls back to the service's own. */
export interface BrandChange {
  colour?: string | null | undefined;
  logo?: Logo | null | undefined;
  language?: Language | null | undefined;
}

/** Updates the given parts; null removes one. The caller has locked the landlord. @returns false when nothing changed */
export async function setLandlordBrand(
  trx: Transaction,
  landlordId: string,
  { colour, logo, language }: BrandChange,
): Promise<boolean> {
  const before = await findLandlordBrand(trx, landlordId);
  const change = {
    ...(colour === undefined ? {} : { colour }),
    ...(logo === undefined ? {} : logoColumns(logo)),
    ...(language === undefined ? {} : { language }),
  };
  const isSame =
    (colour === undefined || (before?.colour ?? null) === colour) &&
    (logo === undefined || (before?.logo_digest ?? null) === logoColumns(logo).logo_digest) &&
    (language === undefined || (before?.language ?? null) === language);
  if (isSame) return false;
  await trx('landlord_brands')
    .insert({ landlord_id: landlordId, colour: null, language: null, ...logoColumns(null), ...change })
    .onConflict('landlord_id')
    .merge(change);
  return true;
}

function logoColumns(logo: Logo | null) {
  if (logo === null) return { logo: null, logo_digest: null, logo_width: null, logo_height: null };
  const { content, width, height } = logo;
  const logo_digest = contentDigest(content);
  return { logo: content, logo_digest, logo_width: width, logo_height: height };
}
