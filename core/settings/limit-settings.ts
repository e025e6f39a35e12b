import { valuesOf } from './values.ts';

/** What one request may give, in characters, and what one API key may have. */
export interface RequestLimits {
  /** Of `url` and `redirect_url`. */
  address: number;
  name: number;
  secret: number;
  webhooks: number;
  /** Documents that one person uploads for one API key. */
  uploads: number;
}

/** A request body has 100 KiB at most. */
const MOST_CHARACTERS = 100_000;

/** Appends problems to `faults`. */
export function readRequestLimits(env: NodeJS.ProcessEnv, faults: string[]): RequestLimits {
  const { wholeNumber } = valuesOf(env, faults);
  const characters = (name: string, fallback: number) =>
    wholeNumber(name, fallback, MOST_CHARACTERS, 1, ' of characters');
  return {
    address: characters('MAX_ADDRESS_LENGTH', 2048),
    name: characters('MAX_NAME_LENGTH', 255),
    secret: characters('MAX_SECRET_LENGTH', 512),
    webhooks: wholeNumber('MAX_WEBHOOKS_PER_KEY', 1000, 1_000_000),
    uploads: wholeNumber('MAX_UPLOADS_PER_PERSON', 20, 1000),
  };
}
