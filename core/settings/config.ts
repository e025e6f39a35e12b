import { resolve } from 'node:path';
import type { Network } from '../addresses/address-ranges.ts';
import type { AddressPolicy } from '../addresses/caller-address.ts';
import { readAddresses, readTrustedProxies } from './address-settings.ts';
import { type BankHistory, type BankSettings, readBanking } from './bank-settings.ts';
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
import { type OriginSettings, readOrigins } from './origin-settings.ts';
import { processSettings } from './process-settings.ts';
import { checkProxies } from './proxy-variables.ts';
import { type ReportSettings, readReports } from './report-settings.ts';
import { type RetentionSettings, readRetention } from './retention-settings.ts';
import { readScanner, type ScannerSettings } from './scanner-settings.ts';
import { readerOf } from './setting.ts';
import { readStop, type StopSettings } from './stop-settings.ts';
import { readWebhooks, type WebhookSettings } from './webhook-settings.ts';

/** All settings from the environment, parsed and validated once. */
export interface Config extends OriginSettings {
  mode: 'sandbox' | 'live';
  host: string;
  /** 0 picks a free port. */
  port: number;
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
  banking: BankSettings & BankHistory;
  mail: MailSettings;
  keys: Keys;
  documents: DocumentSettings;
  scanner: ScannerSettings;
  eid: EidSettings;
  webhooks: WebhookSettings;
  retention: RetentionSettings;
  forensics: ForensicSettings;
  reports: ReportSettings;
  addresses: AddressPolicy;
  limits: RequestLimits;
  connections: ConnectionSettings;
  stop: StopSettings;
  /** The listener for operators, if there is one. */
  operators: OperatorSettings | undefined;
  /** The proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: Network[];
}

/** @throws ConfigError */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const faults: string[] = [];
  const read = readerOf(processSettings, env, faults);
  const mode = read('MODE');
  const dataDir = resolve(read('DATA_DIR'));
  const port = read('PORT');
  const config = {
    mode,
    host: read('HOST'),
    port,
    ...readOrigins(env, mode, faults),
    database: readDatabase(env, dataDir, faults),
    migrate: read('MIGRATE') ?? mode === 'sandbox',
    documents: readDocuments(env, mode, dataDir, faults),
    scanner: readScanner(env, faults),
    dataDir,
    logLevel: read('LOG_LEVEL'),
    runWorkers: read('RUN_WORKERS'),
    sandboxDelayMs: read('SANDBOX_DELAY_MS'),
    verificationMinutes: read('VERIFICATION_MINUTES'),
    profileDays: read('ONBOARDING_VALID_DAYS'),
    eid: readEid(env, mode, faults),
    kyc: readKyc(env, mode, faults),
    banking: readBanking(env, mode, faults),
    mail: readMail(env, mode, faults),
    webhooks: readWebhooks(env, faults),
    retention: readRetention(env, mode, faults),
    forensics: readForensics(env, faults),
    reports: readReports(env, mode, faults),
    limits: readRequestLimits(env, faults),
    addresses: readAddresses(env, mode, faults),
    connections: readConnections(env, faults),
    stop: readStop(env, faults),
    operators: readOperators(env, { port, mode }, faults),
    trustedProxies: readTrustedProxies(env, faults),
  };
  checkProxies(env, faults);
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
