import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { S3, S3ServiceException } from '@aws-sdk/client-s3';
import type { BucketSettings } from '../core/document-settings.ts';
import { SEAL_HEAD_BYTES } from '../core/sealing.ts';
import { type DocumentStore, ProviderUnavailable } from './providers.ts';
import { gone, readDocument } from './read-document.ts';
import { type ReceivedDocument, type Receiving, receiveDocument, removeLeftovers } from './receive-document.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const SILENCE_TIMEOUT_MS = 30_000;

/** The SDK would write its warnings to the console; what fails is thrown. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** The bucket and the key of one document. */
interface Place {
  Bucket: string;
  Key: string;
}

/**
 * Documents in a bucket of S3 or a server like it, encrypted with the service's key before they leave and named by the
 * digest of what they hold. Each put seals anew and so changes the entity tag, which tells whoever takes an object back
 * whether it is still theirs.
 */
export async function createDocumentBucket(settings: BucketSettings, receiving: Receiving): Promise<DocumentStore> {
  const s3 = connect(settings);
  const placeOf = (sha256: string): Place => ({
    Bucket: settings.bucket,
    Key: `${settings.prefix}${sha256.slice(0, 2)}/${sha256}`,
  });
  await removeLeftovers(receiving);
  return {
    async put(content) {
      const received = await receiveDocument(content, receiving);
      const { sha256, sizeBytes, mediaType } = received;
      const place = placeOf(sha256);
      try {
        const created = await upload(s3, place, received);
        const discard = async () => {
          if (created) await takeAway(s3, place, created);
        };
        return { sha256, sizeBytes, mediaType, discard };
      } finally {
        await rm(received.file, { force: true });
      }
    },
    get: (sha256) => readDocument(download(s3, placeOf(sha256)), sha256, receiving.key),
  };
}

function connect({ region, endpoint, credentials }: BucketSettings): S3 {
  return new S3({
    region,
    ...(credentials ? { credentials } : {}),
    // Servers of one's own rarely have a host name for each bucket.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // Many servers do not know the trailers that the SDK would add; the seal finds what a checksum would, and more.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: silent,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_TIMEOUT_MS },
  });
}

/**
 * Says for itself that nothing may be there, and looks before: not every server heeds the condition.
 * @returns the entity tag when nothing was there before
 */
async function upload(s3: S3, place: Place, received: ReceivedDocument): Promise<string | undefined> {
  const put = (condition: { IfNoneMatch?: '*' }) =>
    s3.putObject({
      ...place,
      ...condition,
      Body: createReadStream(received.file),
      ContentLength: received.sizeBytes + SEAL_HEAD_BYTES,
      ContentType: 'application/octet-stream',
    });
  if ((await tagOf(s3, place)) === undefined) {
    const created = await unless(isConditionRefused, () => put({ IfNoneMatch: '*' }));
    if (created) return created.ETag;
  }
  await unless(
    () => false,
    () => put({}),
  );
  return undefined;
}

/** Only while the object is the one that this put made; where a server heeds the condition, it decides. */
async function takeAway(s3: S3, place: Place, created: string): Promise<void> {
  if ((await tagOf(s3, place)) !== created) return;
  await unless(isConditionRefused, () => s3.deleteObject({ ...place, IfMatch: created }));
}

/** The entity tag of what is there. */
async function tagOf(s3: S3, place: Place): Promise<string | undefined> {
  return (await unless(isAbsent, () => s3.headObject(place)))?.ETag;
}

/** @throws UnreadableDocument, ProviderUnavailable */
async function* download(s3: S3, place: Place): AsyncGenerator<Uint8Array> {
  const found = await unless(isAbsent, () => s3.getObject(place));
  if (!found) throw gone();
  if (!(found.Body instanceof Readable)) throw new Error('The bucket answered without a stream.');
  try {
    yield* found.Body;
  } catch (error) {
    throw unavailable(error);
  }
}

/**
 * Undefined instead of the refusals that are foreseen.
 * @throws ProviderUnavailable for every other
 */
async function unless<Answer>(
  isForeseen: (refusal: S3ServiceException) => boolean,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof S3ServiceException && isForeseen(error)) return undefined;
    throw unavailable(error);
  }
}

function isAbsent({ name, $metadata }: S3ServiceException): boolean {
  return $metadata.httpStatusCode === 404 && name !== 'NoSuchBucket';
}

/** It does not hold, somebody else is at it just now, or the server does not know such conditions. */
function isConditionRefused({ $metadata }: S3ServiceException): boolean {
  return [412, 409, 501].includes($metadata.httpStatusCode ?? 0);
}

/** Without the error itself: what is logged of it would show the keys of documents. */
function unavailable(error: unknown): ProviderUnavailable {
  return new ProviderUnavailable(`The bucket of DOCUMENT_STORE cannot be used just now (${codeOf(error)}).`);
}

/** The answer to a HEAD has no body to say more than its status. */
function codeOf(error: unknown): string {
  if (error instanceof S3ServiceException && error.name === 'Unknown')
    return `status ${error.$metadata.httpStatusCode}`;
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.name;
}
