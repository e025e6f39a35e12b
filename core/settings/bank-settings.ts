import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { codeOf } from '../errors.ts';
import { minRsaBits } from './key-settings.ts';
import { oneOf, optional, readerOf, setting, text, wholeNumber } from './setting.ts';

/** Banking connectivity; off without a provider. */
export type BankSettings =
  | { provider: 'none' }
  | { provider: 'sandbox' }
  | ({ provider: 'enable-banking' } & EnableBankingSettings);

export interface BankHistory {
  /** How far back bookings are read. */
  historyDays: number;
}

export interface EnableBankingSettings {
  applicationId: string;
  privateKey: KeyObject;
  /** The origin of the API, or of a mock. */
  apiBase: URL;
  /** ISO 3166, two letters each. */
  countries: string[];
}

const API = 'https://api.enablebanking.com';

export const bankProvider = {
  BANK_PROVIDER: optional(
    oneOf('none', 'sandbox', 'enable-banking'),
    'Provider of bank connections: none, simulated, or [Enable Banking](bank.md).',
    '`sandbox`, live `none`',
  ),
};

export const bankSettings = {
  BANK_HISTORY_DAYS: setting(wholeNumber(30, 730), 180, 'How many days back bookings are read.'),
  BANK_COUNTRIES: setting(text, 'ES,DE,FR,PT', 'Countries whose banks can be chosen, by two letters.'),
  ENABLE_BANKING_APP_ID: optional(text, 'Id of your application.'),
  ENABLE_BANKING_KEY_FILE: optional(text, 'File with its private RSA key (PEM).'),
  ENABLE_BANKING_API_BASE: setting(text, API, 'Address of a mock.'),
};

/** Appends problems to `faults`, which never show keys. */
export function readBanking(
  env: NodeJS.ProcessEnv,
  mode: 'sandbox' | 'live',
  faults: string[],
): BankSettings & BankHistory {
  const provider = readerOf(bankProvider, env, faults)('BANK_PROVIDER') ?? (mode === 'sandbox' ? 'sandbox' : 'none');
  const historyDays = readerOf(bankSettings, env, faults)('BANK_HISTORY_DAYS');
  if (provider === 'sandbox' && mode === 'live')
    faults.push('BANK_PROVIDER is sandbox; live needs a real provider, or none.');
  if (provider === 'none' || provider === 'sandbox') return { provider, historyDays };
  const settings = readEnableBanking(env, mode, faults);
  return settings ? { provider, historyDays, ...settings } : { provider: 'none', historyDays };
}

/** @returns undefined when there is no key, which is among the faults */
function readEnableBanking(
  env: NodeJS.ProcessEnv,
  mode: 'sandbox' | 'live',
  faults: string[],
): EnableBankingSettings | undefined {
  const read = readerOf(bankSettings, env, faults);
  const applicationId = read('ENABLE_BANKING_APP_ID') ?? '';
  if (!/^[\w-]{1,64}$/.test(applicationId))
    faults.push('ENABLE_BANKING_APP_ID must be the id of your application at Enable Banking.');
  const countries = read('BANK_COUNTRIES')
    .split(',')
    .map((country) => country.trim().toUpperCase());
  if (!countries.every((country) => /^[A-Z]{2}$/.test(country)))
    faults.push('BANK_COUNTRIES must be countries of two letters, between commas.');
  const apiBase = URL.parse(read('ENABLE_BANKING_API_BASE'));
  const isHttp = apiBase?.protocol === 'https:' || (mode === 'sandbox' && apiBase?.protocol === 'http:');
  if (!apiBase || !isHttp || apiBase.search || apiBase.hash || apiBase.username)
    faults.push(`ENABLE_BANKING_API_BASE must be an ${mode === 'live' ? 'https' : 'http or https'} address.`);
  const privateKey = readKey(read('ENABLE_BANKING_KEY_FILE'), minRsaBits(mode), faults);
  return privateKey && { applicationId, privateKey, apiBase: apiBase ?? new URL(API), countries };
}

function readKey(file: string | undefined, minBits: number, faults: string[]): KeyObject | undefined {
  if (!file) {
    faults.push('ENABLE_BANKING_KEY_FILE is missing; it names the file with your private key.');
    return undefined;
  }
  try {
    const key = createPrivateKey(readFileSync(file));
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (key.asymmetricKeyType === 'rsa' && bits >= minBits) return key;
    faults.push(`ENABLE_BANKING_KEY_FILE must hold an RSA key of at least ${minBits} bits.`);
  } catch (error) {
    faults.push(`ENABLE_BANKING_KEY_FILE cannot be read as a private key (${codeOf(error) || 'no PEM'}).`);
  }
  return undefined;
}
