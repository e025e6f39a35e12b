import { readerOf, setting, wholeNumber } from './setting.ts';

/** The limits of one request, in characters, and of one API key. */
export interface RequestLimits {
  /** The maximum length of `url` and `redirect_url`. */
  address: number;
  name: number;
  secret: number;
  webhooks: number;
  /** Documents that one person uploads for one API key. */
  uploads: number;
  /** Verifications of each kind (KYC, national eID) that one API key starts on one day (UTC). */
  verifications: number;
  /** Bytes of unfinished uploads of one API key, in MiB. */
  unfinishedMib: number;
}

/** A request body has at most 100 KiB. */
const characters = wholeNumber(1, 100_000, ' of characters');

export const limitSettings = {
  MAX_ADDRESS_LENGTH: setting(characters, 2048, 'Longest `url` and `redirect_url`, in characters.'),
  MAX_NAME_LENGTH: setting(characters, 255, 'Longest participant `name`.'),
  MAX_SECRET_LENGTH: setting(characters, 512, 'Longest webhook `secret`.'),
  MAX_WEBHOOKS_PER_KEY: setting(wholeNumber(1, 1_000_000), 1000, 'Webhooks per API key.'),
  MAX_UPLOADS_PER_PERSON: setting(wholeNumber(1, 1000), 20, 'Uploads per person and API key.'),
  DAILY_VERIFICATIONS_PER_KEY: setting(
    wholeNumber(1, 1_000_000),
    1000,
    'Identity checks, and national eID flows, per API key and day (UTC). More get [400](#daily-limits).',
  ),
  UNFINISHED_UPLOADS_MIB: setting(
    wholeNumber(1, 1_048_576, ' of MiB'),
    5120,
    'Space for unfinished uploads per API key, in MiB. Abandoned ones are removed after a day.',
  ),
};

/** Appends problems to `faults`. */
export function readRequestLimits(env: NodeJS.ProcessEnv, faults: string[]): RequestLimits {
  const read = readerOf(limitSettings, env, faults);
  return {
    address: read('MAX_ADDRESS_LENGTH'),
    name: read('MAX_NAME_LENGTH'),
    secret: read('MAX_SECRET_LENGTH'),
    webhooks: read('MAX_WEBHOOKS_PER_KEY'),
    uploads: read('MAX_UPLOADS_PER_PERSON'),
    verifications: read('DAILY_VERIFICATIONS_PER_KEY'),
    unfinishedMib: read('UNFINISHED_UPLOADS_MIB'),
  };
}
