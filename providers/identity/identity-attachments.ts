import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { AddressPolicy } from '../../core/addresses/caller-address.ts';
import { ProviderUnavailable } from '../../core/errors.ts';
import { isRecord } from '../../core/text.ts';
import { type DownloadedDocument, UnacceptableDocument } from '../documents/port.ts';
import { boundedFetch, boundedGuardedFetch } from '../outbound/bounded-fetch.ts';

const TIMEOUT_MS = 30_000;
const MAX_DESCRIPTION_LENGTH = 60;
/** Exceeds any person's documents and photos. */
const MAX_ATTACHMENTS = 50;

/** Access to external attachments. */
export interface AttachmentAccess {
  accessToken: string;
  issuer: URL;
  /** Applies to attachments outside the issuer's origin. */
  policy: AddressPolicy;
}

export interface TakenAttachment {
  /** Its replacement in the claims, without bytes, token and address. */
  shown: Record<string, unknown>;
  document: DownloadedDocument;
}

/** Digest algorithms: IANA names and Node's. */
const algorithms = new Map([
  ['sha-256', 'sha256'],
  ['sha-384', 'sha384'],
  ['sha-512', 'sha512'],
]);

const endings = new Map([
  ['application/pdf', '.pdf'],
  ['image/jpeg', '.jpg'],
  ['image/png', '.png'],
]);

/**
 * An attachment of OpenID Attachments 1.0, embedded (`content`) or external (`url` and `digest`), as a lazily fetched document.
 * Undefined when it is neither.
 * @param place its position among the attachments, from 1, which makes names unique
 * @throws when it cannot be fetched or fails its digest, possibly only when its bytes are read
 */
export function takeAttachment(value: unknown, place: number, access: AttachmentAccess): TakenAttachment | undefined {
  if (!isRecord(value)) return undefined;
  if (place > MAX_ATTACHMENTS)
    throw new UnacceptableDocument('many', `There are more than ${MAX_ATTACHMENTS} attachments.`);
  const { desc, content_type, content, url } = value;
  const name = documentName(place, desc, content_type);
  const taken = (digest: Digest, bytes: AsyncIterable<Uint8Array>): TakenAttachment => ({
    shown: { desc, content_type, digest: { alg: digest.alg, value: digest.value.toString('base64') }, document: name },
    document: { name, content: bytes },
  });
  if (typeof content === 'string') {
    const bytes = Buffer.from(content, 'base64');
    return taken({ alg: 'sha-256', value: createHash('sha256').update(bytes).digest() }, Readable.from([bytes]));
  }
  if (typeof url !== 'string') return undefined;
  const digest = readDigest(value['digest']);
  return taken(digest, download(checkedAddress(url, access), tokenFor(value, access), digest, access));
}

interface Digest {
  alg: string;
  value: Buffer;
}

function readDigest(digest: unknown): Digest {
  if (isRecord(digest) && typeof digest['alg'] === 'string' && typeof digest['value'] === 'string')
    return { alg: digest['alg'], value: Buffer.from(digest['value'], 'base64') };
  throw new Error('An external attachment has no digest.');
}

function checkedAddress(text: string, { policy }: AttachmentAccess): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' || (!policy.requireHttps && url?.protocol === 'http:')) return url;
  throw new Error('An external attachment has an address that is not https.');
}

/** The attachment's own token, none when it is null, and otherwise the access token of the claims request. */
function tokenFor(attachment: Record<string, unknown>, { accessToken }: AttachmentAccess): string | null {
  const own = attachment['access_token'];
  if (own === null || typeof own === 'string') return own;
  return accessToken;
}

async function* download(
  url: URL,
  token: string | null,
  digest: Digest,
  { issuer, policy }: AttachmentAccess,
): AsyncIterable<Uint8Array> {
  const algorithm = algorithms.get(digest.alg);
  if (!algorithm) throw new Error('An external attachment has a digest of an unknown algorithm.');
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  // The operator chose the issuer, which may be internal; addresses it names must not reach other internal hosts.
  const answer =
    url.origin === issuer.origin
      ? await boundedFetch(url.href, { headers, signal })
      : await boundedGuardedFetch(url.href, { headers, signal, policy });
  if (answer.status !== 200) throw new ProviderUnavailable(`An external attachment was answered ${answer.status}.`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!createHash(algorithm).update(bytes).digest().equals(digest.value))
    throw new Error('An external attachment is not what its digest says.');
  yield bytes;
}

function documentName(place: number, description: unknown, contentType: unknown): string {
  const words = String(description ?? '')
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, MAX_DESCRIPTION_LENGTH)
    .replace(/^-|-$/g, '');
  return `national-identity-${place}${words && `-${words}`}${endings.get(String(contentType)) ?? ''}`;
}
