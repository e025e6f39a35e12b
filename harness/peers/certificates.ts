import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { generate } from 'selfsigned';

export interface Certificate {
  key: string;
  cert: string;
}

const DAY_MS = 86_400_000;

/** A certificate authority and the certificates that it issues. */
export async function authority(
  name: string,
): Promise<Certificate & { issue: (to: Partial<Named>) => Promise<Certificate> }> {
  const ca = await make({ name, isAuthority: true });
  return { ...ca, issue: (to) => make({ name: 'localhost', ...to, ca }) };
}

interface Named {
  name: string;
  /** In days from now; may be past. */
  validFrom: number;
  validUntil: number;
  ca: Certificate;
  isAuthority: boolean;
}

async function make({
  name,
  validFrom = -60,
  validUntil = 30,
  ca,
  isAuthority = false,
}: Partial<Named>): Promise<Certificate> {
  const pems = await generate([{ name: 'commonName', value: name ?? 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() + validFrom * DAY_MS),
    notAfterDate: new Date(Date.now() + validUntil * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: isAuthority, critical: true },
      ...(isAuthority
        ? []
        : [{ name: 'subjectAltName' as const, altNames: [{ type: 2 as const, value: name ?? 'localhost' }] }]),
    ],
    ...(ca && { ca }),
  });
  return { key: pems.private, cert: pems.cert };
}

/** A self-signed certificate. */
export function selfSigned(): Promise<Certificate> {
  return make({ name: 'localhost' });
}

/** Makes this process trust an additional authority, as NODE_EXTRA_CA_CERTS does. Returns a function that undoes it. */
export function trust({ cert }: Certificate): () => void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, cert]);
  return () => setDefaultCACertificates(before);
}
