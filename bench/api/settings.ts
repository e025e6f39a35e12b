import { randomBytes } from 'node:crypto';

const key = () => randomBytes(32).toString('base64');

let keys = { TOKEN_KEY: key(), ENCRYPTION_KEY: key() };

/** Uses the keys of a database that an earlier run created. */
export function useKeys(earlier: typeof keys): void {
  keys = earlier;
}

export function usedKeys(): typeof keys {
  return keys;
}

/** The service as an operator runs it live, with workers elsewhere. The providers named here are never called. */
const live = {
  MODE: 'live',
  PUBLIC_URL: 'https://screening.example',
  FRAME_ANCESTORS: 'https://app.example',
  MAIL_PROVIDER: 'smtp',
  MAIL_FROM: 'Bench <lettings@agency.example>',
  SMTP_URL: 'smtp://mail.agency.example:587',
  SMTP_USER: 'screening',
  SMTP_PASSWORD: 'secret',
  KYC_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: 'rk_live_bench',
  STRIPE_WEBHOOK_SECRET: 'whsec_bench',
  EID_PROVIDER: 'oidc',
  EID_ISSUER: 'https://eid.example',
  EID_CLIENT_ID: 'screening',
  EID_CLIENT_SECRET: 'secret',
  RUN_WORKERS: 'false',
  MIGRATE: 'true',
};

/** Settings of every server in a bench. The peers read only a few of them. */
export function settings(databaseUrl: string, dataDir: string): Record<string, string> {
  return { ...live, ...keys, NODE_ENV: 'production', SETTINGS_FILE: '', DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
}

/** Reverts everything that makes a service live. */
export const sandbox: Record<string, string> = Object.fromEntries(Object.keys(live).map((name) => [name, '']));
