import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { codeOf } from '../errors.ts';
import { minRsaBits } from './key-settings.ts';
import { optional, readerOf, setting, text, wholeNumber } from './setting.ts';

export interface ReportSettings {
  /** The operator's key and certificates, the signer's own first; undefined for a key that the service makes. */
  signingKey: { key: KeyObject; certificates: X509Certificate[] } | undefined;
  /** How many reports of one application may wait at once. */
  maxWaiting: number;
}

export const reportSettings = {
  REPORT_SIGNING_FILE: optional(
    text,
    'File with the key and the certificates that seal reports (PEM, the signer’s own first).',
    'a key of the service’s own',
  ),
  REPORT_MAX_WAITING: setting(wholeNumber(1, 50), 5, 'How many reports of one application may wait at once.'),
};

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Appends problems to `faults`, which never show keys. */
export function readReports(env: NodeJS.ProcessEnv, mode: 'sandbox' | 'live', faults: string[]): ReportSettings {
  const read = readerOf(reportSettings, env, faults);
  const file = read('REPORT_SIGNING_FILE');
  const maxWaiting = read('REPORT_MAX_WAITING');
  return { signingKey: file === undefined ? undefined : readSigningFile(file, minRsaBits(mode), faults), maxWaiting };
}

function readSigningFile(file: string, minBits: number, faults: string[]): ReportSettings['signingKey'] {
  let pem: string;
  try {
    pem = readFileSync(file, 'utf8');
  } catch (error) {
    faults.push(`REPORT_SIGNING_FILE cannot be read (${codeOf(error) ?? 'unknown error'}).`);
    return undefined;
  }
  try {
    const key = createPrivateKey(pem);
    const certificates = (pem.match(CERTIFICATE) ?? []).map((one) => new X509Certificate(one));
    const isStrong = (key.asymmetricKeyDetails?.modulusLength ?? 0) >= minBits;
    const isUsable = key.asymmetricKeyType === 'ec' || (key.asymmetricKeyType === 'rsa' && isStrong);
    if (isUsable && certificates[0]?.checkPrivateKey(key)) return { key, certificates };
  } catch {
    // The same answer as for a key of another certificate: the error may quote the file.
  }
  faults.push(
    `REPORT_SIGNING_FILE must hold an RSA key of at least ${minBits} bits or an EC key, without a password, and its certificate first.`,
  );
  return undefined;
}
