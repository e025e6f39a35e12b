import type { X509Certificate } from 'node:crypto';

/** A certificate's claims, not verified against any list of authorities. */
export interface CertificateFacts {
  subject: string;
  issuer: string;
  valid_from: string;
  valid_to: string;
  self_signed: boolean;
}

const LONGEST = 120;

export function certificateFacts(certificate: X509Certificate): CertificateFacts {
  const { subject, issuer, validFromDate, validToDate } = certificate;
  return {
    subject: commonName(subject),
    issuer: commonName(issuer),
    valid_from: day(validFromDate),
    valid_to: day(validToDate),
    self_signed: subject === issuer,
  };
}

/** The common name or the organisation; the whole name if it has neither. */
function commonName(name: string): string {
  // A name with several attributes at one level joins them with a plus.
  const lines = name.split(/\n| \+ /);
  const of = (key: string) => lines.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1);
  return (of('CN') ?? of('O') ?? lines.join(', ')).slice(0, LONGEST);
}

function day(date: Date): string {
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}
