import { createPrivateKey, X509Certificate } from 'node:crypto';
import { sealText, unsealText } from '../../core/secrets/secrets.ts';
import { findSigningKey, keepSigningKey, type SigningKeyRow } from '../../db/reports/signing-keys.ts';
import type { Runtime } from '../runtime.ts';
import { createOwnKey } from './own-certificate.ts';
import type { SigningKey } from './sign-pdf.ts';

type Needs = Pick<Runtime, 'db' | 'keys' | 'reports' | 'publicUrl' | 'now'>;

/** The operator's key, or the service's own, which the first report creates for every process. */
export async function signingKey(runtime: Needs): Promise<SigningKey> {
  const { db, keys, reports, publicUrl, now } = runtime;
  if (reports.signingKey) return reports.signingKey;
  const kept = await findSigningKey(db);
  if (kept) return opened(kept, runtime);
  const made = await createOwnKey(`Tenant Screening, ${new URL(publicUrl()).host}`, now());
  const pem = made.key.export({ type: 'pkcs8', format: 'pem' }).toString();
  await keepSigningKey(db, {
    sealed_key: sealText(pem, keys.encryption),
    certificate: made.certificates.map((certificate) => certificate.toString()).join(''),
    created_at: now().toISOString(),
  });
  // Another process may have been first.
  const first = await findSigningKey(db);
  return first ? opened(first, runtime) : made;
}

function opened({ sealed_key, certificate }: SigningKeyRow, { keys }: Needs): SigningKey {
  return {
    key: createPrivateKey(unsealText(sealed_key, keys.encryption)),
    certificates: [new X509Certificate(certificate)],
  };
}
