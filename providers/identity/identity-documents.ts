import { Readable } from 'node:stream';
import type { DownloadedDocument } from '../documents/port.ts';
import { type AttachmentAccess, takeAttachment } from './identity-attachments.ts';

export type Claims = Record<string, unknown>;

/** Protocol claims, not the person's; the first four are shown separately. */
const PROTOCOL_CLAIMS = new Set(
  'iss sub acr auth_time aud azp exp iat nbf jti nonce sid at_hash c_hash s_hash verified_claims _claim_names _claim_sources'.split(
    ' ',
  ),
);

/**
 * A person's claims as `national-identity.json`, plus attached identity documents (OpenID Connect for Identity Assurance 1.0, OpenID
 * Attachments 1.0). Claims of the ID token take precedence, because it is signed.
 * @throws when an attachment cannot be used
 */
export function identityDocuments(idToken: Claims, userInfo: Claims, access: AttachmentAccess): DownloadedDocument[] {
  const verified = [idToken, userInfo].flatMap(({ verified_claims }) => verified_claims ?? []);
  const claims = Object.entries({ ...userInfo, ...idToken }).filter(([name]) => !PROTOCOL_CLAIMS.has(name));
  const identity = {
    issuer: idToken['iss'],
    subject: idToken['sub'],
    acr: idToken['acr'],
    auth_time: idToken['auth_time'],
    claims: Object.fromEntries(claims),
    ...(verified.length > 0 ? { verified_claims: verified } : {}),
  };
  const attached: DownloadedDocument[] = [];
  const withoutBytes = (name: string, value: unknown): unknown => {
    if (name !== 'attachments' || !Array.isArray(value)) return value;
    return value.map((attachment: unknown) => {
      const taken = takeAttachment(attachment, attached.length + 1, access);
      if (taken) attached.push(taken.document);
      return taken?.shown ?? attachment;
    });
  };
  const text = `${JSON.stringify(identity, withoutBytes, 2)}\n`;
  return [{ name: 'national-identity.json', content: Readable.from([Buffer.from(text)]) }, ...attached];
}
