import { resolve } from 'node:path';
import type { Network } from '../addresses/address-ranges.ts';
import type { AddressPolicy } from '../addresses/caller-address.ts';
import { readFrameAncestors } from '../addresses/frame-ancestors.ts';
import { DAY_MS } from '../time.ts';
import { readAddresses, readTrustedProxies } from './address-settings.ts';
import { ConfigError } from './config-error.ts';
import { type ConnectionSettings, readConnections } from './connection-settings.ts';
import { type DatabaseSettings, readDatabase } from './database-settings.ts';
import { type DocumentSettings, readDocuments } from './document-settings.ts';
import { type EidSettings, readEid } from './eid-settings.ts';
import { type ForensicSettings, readForensics } from './forensic-settings.ts';
import { KEY_HINT, type Keys, readKeys } from './key-settings.ts';
import { type KycSettings, readKyc } from './kyc-settings.ts';
import { type RequestLimits, readRequestLimits } from './limit-settings.ts';
import { type MailSettings, readMail } from './mail-settings.ts';
import { type OperatorSettings, readOperators } from './operator-settings.ts';
import { type RetentionSettings, readRetention } from './retention-settings.ts';
import { readStop, type StopSettings } from './stop-settings.ts';
import { valuesOf } from './values.ts';
import { readWebhooks, type WebhookSettings } from './webhook-settings.ts';

/** All settings from the environment, parsed and validated once. */
export interface Config {
  mode: 'sandbox' | 'live';
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** The base URL for callers and browsers; undefined means the listening address. */
  publicUrl: string | undefined;
  /** The origin of a copy of the reference site that may call this sandbox. */
  docsOrigin: string | undefined;
  /** The `frame-ancestors` of the verification pages (Content Security Policy). */
  frameAncestors: string;
  database: DatabaseSettings;
  /** Whether a start brings the schema up to date. */
  migrate: boolean;
  dataDir: string;
  logLevel: string;
  /** Whether the API process also runs background jobs. */
  runWorkers: boolean;
  /** The duration of a sandbox verification and the delay before a sandbox analysis, in milliseconds. */
  sandboxDelayMs: number;
  /** Minutes until an unfinished verification expires. */
  verificationMinutes: number;
  /** Days until a completed profile becomes outdated; undefined means never. */
  profileDays: number | undefined;
  kyc: KycSettings;
  mail: MailSettings;
  keys: Keys;
  documents: DocumentSettings;
  eid: EidSettings;
  webhooks: WebhookSettings;
  retention: RetentionSettings;
  forensics: ForensicSettings;
  addresses: AddressPolicy;
  limits: RequestLimits;
  connections: ConnectionSettings;
  stop: StopSettings;
  /** The listener for probes and metrics, if there is one. */
  operators: OperatorSettings | undefined;
  /** The proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: Network[];
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
/** @throws ConfigError */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const faults: string[] = [];
  const { oneOf, wholeNumber } = valuesOf(env, faults);
  const mode = oneOf('MODE', ['sandbox', 'live'], 'sandbox');
  const dataDir = resolve(env['DATA_DIR'] || 'data');
  const port = wholeNumber('PORT', 3000, 65_535, 0);
  const config = {
    mode,
    host: env['HOST'] || '127.0.0.1',
    port,
    publicUrl: readPublicUrl(env['PUBLIC_URL'], mode, faults),
    docsOrigin: readDocsOrigin(env['DOCS_ORIGIN'], mode, faults),
    frameAncestors: readFrameAncestors(env['FRAME_ANCESTORS'], mode, faults),
    database: readDatabase(env, dataDir, faults),
    migrate: oneOf('MIGRATE', ['true', 'false'], mode === 'live' ? 'false' : 'true') === 'true',
    documents: readDocuments(env, mode, dataDir, faults),
    dataDir,
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    runWorkers: oneOf('RUN_WORKERS', ['true', 'false'], 'true') === 'true',
    sandboxDelayMs: wholeNumber('SANDBOX_DELAY_MS', 1000, DAY_MS, 0),
    verificationMinutes: wholeNumber('VERIFICATION_MINUTES', 24 * 60, 30 * 24 * 60, 5),
    profileDays: env['ONBOARDING_VALID_DAYS'] ? wholeNumber('ONBOARDING_VALID_DAYS', 1, 3650) : undefined,
    eid: readEid(env, mode, faults),
    kyc: readKyc(env, mode, faults),
    mail: readMail(env, mode, faults),
    webhooks: readWebhooks(env, faults),
    retention: readRetention(env, faults),
    forensics: readForensics(env, faults),
    limits: readRequestLimits(env, faults),
    addresses: readAddresses(env, mode, faults),
    connections: readConnections(env, faults),
    stop: readStop(env, faults),
    operators: readOperators(env, { port }, faults),
    trustedProxies: readTrustedProxies(env, faults),
  };
  if (mode === 'live') faults.push(...liveFaults(env));
  const keys = readKeys(env, mode, dataDir, faults);
  const aboutKeys = faults.some((fault) => /^(FORMER_)?(TOKEN|ENCRYPTION)_KEYS? /.test(fault));
  if (faults.length > 0) throw new ConfigError(faults, aboutKeys ? KEY_HINT : '');
  return { ...config, keys: keys() };
}

/** Live mode requires real providers, without fallbacks. */
function liveFaults(env: NodeJS.ProcessEnv): string[] {
  return ['KYC_PROVIDER', 'EID_PROVIDER', 'MAIL_PROVIDER']
    .filter((name) => (env[name] || 'sandbox') === 'sandbox')
    .map((name) => `${name} is sandbox; live needs a real provider.`);
}

function readPublicUrl(text: string | undefined, mode: Config['mode'], faults: string[]): string | undefined {
  if (!text) {
    if (mode === 'live') faults.push('PUBLIC_URL is missing; live needs the https address under which it is reached.');
    return undefined;
  }
  const url = URL.parse(text);
  const scheme = url?.protocol === 'https:' || (mode === 'sandbox' && url?.protocol === 'http:');
  if (!url || !scheme || url.search || url.hash)
    faults.push(`PUBLIC_URL is "${text}"; use an absolute ${mode === 'live' ? 'https' : 'http or https'} address.`);
  return text.replace(/(?<!\/)\/+$/, '');
}

/** Browser access is for trying the sandbox out: only servers may hold live tokens. */
function readDocsOrigin(text: string | undefined, mode: Config['mode'], faults: string[]): string | undefined {
  if (!text) return undefined;
  const url = URL.parse(text);
  if (mode === 'live') faults.push('DOCS_ORIGIN is for the sandbox alone; no page may call live.');
  else if (!url || !/^https?:$/.test(url.protocol) || url.origin !== text)
    faults.push(`DOCS_ORIGIN is "${text}"; use the origin of a site, such as https://docs.example.`);
  return text;
}
