import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import {
  type PutObjectCommandInput,
  type PutObjectCommandOutput,
  paginateListObjectsV2,
  S3,
  type S3ServiceException,
} from '@aws-sdk/client-s3';
import { newId } from '../../core/ids.ts';
import { SEAL_HEAD_BYTES } from '../../core/secrets/sealing.ts';
import type { BucketSettings } from '../../core/settings/document-settings.ts';
import { isAbsent, isConditionRefused, isPassing, unavailable, unless } from './bucket-refusals.ts';
import type { DocumentStore, KeptContent } from './port.ts';
import { documentOpenedBy, gone, readDocument } from './read-document.ts';
import {
  type ReceivedDocument,
  type Receiving,
  receiveDocument,
  removeLeftovers,
  withoutLimit,
} from './receive-document.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const SILENCE_TIMEOUT_MS = 30_000;
const UPLOAD_ATTEMPTS = 3;
const UPLOAD_PAUSE_MS = 200;

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
 * whether it is still theirs. From a server that does not heed conditions nothing is removed: it would not be told.
 */
export async function createDocumentBucket(settings: BucketSettings, receiving: Receiving): Promise<DocumentStore> {
  const s3 = connect(settings);
  const { bucket, prefix } = settings;
  const placeOf = (sha256: string): Place => ({ Bucket: bucket, Key: `${prefix}${sha256.slice(0, 2)}/${sha256}` });
  const heedsConditions = onceAnswered(() => probe(s3, { Bucket: bucket, Key: `${prefix}probe-${newId()}` }));
  const recover = () => removeLeftovers(receiving);
  const sealedAt = (sha256: string) => () => download(s3, placeOf(sha256));
  const get = (sha256: string) => readDocument(sealedAt(sha256), sha256, receiving.keys);
  const put = async (content: AsyncIterable<Uint8Array>, arriving: Receiving) => {
    const received = await receiveDocument(content, arriving);
    const { sha256, sizeBytes, mediaType } = received;
    const place = placeOf(sha256);
    try {
      const created = await store(s3, place, received);
      const discard = async () => {
        if (created && (await tagOf(s3, place)) === created && (await heedsConditions()))
          await remove(s3, place, created);
      };
      return { sha256, sizeBytes, mediaType, discard };
    } finally {
      await rm(received.file, { force: true });
    }
  };
  await recover();
  return {
    put: (content) => put(content, receiving),
    get,
    openedBy: (sha256) => documentOpenedBy(sealedAt(sha256), sha256, receiving.keys),
    reseal: (sha256) => put(get(sha256), withoutLimit(receiving)),
    kept: () => objects(s3, bucket, prefix),
    async removeOld(sha256, storedBefore) {
      const place = placeOf(sha256);
      const found = await unless(isAbsent, () => s3.headObject(place));
      const isOld = found?.LastModified && found.LastModified < storedBefore;
      return isOld && found.ETag && (await heedsConditions()) ? remove(s3, place, found.ETag) : false;
    },
    recover,
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

/** Asks until there is an answer, and then no more. */
function onceAnswered<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  return () => {
    answer ??= ask().catch((error) => {
      answer = undefined;
      throw error;
    });
    return answer;
  };
}

/** Whether the server heeds conditions, of which some know one, and some none: it is tried on an object of our own. */
async function probe(s3: S3, place: Place): Promise<boolean> {
  const create = () => unless(isConditionRefused, () => s3.putObject({ ...place, Body: 'probe', IfNoneMatch: '*' }));
  try {
    return Boolean(await create()) && !(await create()) && !(await remove(s3, place, '"another"'));
  } finally {
    await unless(isAbsent, () => s3.deleteObject(place));
  }
}

/** @returns the entity tag when nothing was there before */
async function store(s3: S3, place: Place, received: ReceivedDocument): Promise<string | undefined> {
  if ((await tagOf(s3, place)) === undefined) {
    const created = await unless(isConditionRefused, () => upload(s3, { ...place, IfNoneMatch: '*' }, received));
    if (created) return created.ETag;
  }
  await unless(
    () => false,
    () => upload(s3, place, received),
  );
  return undefined;
}

/** The SDK tries again by itself, but not with what it has to read from a stream. */
async function upload(
  s3: S3,
  request: PutObjectCommandInput,
  received: ReceivedDocument,
  attempt = 1,
): Promise<PutObjectCommandOutput> {
  const body = createReadStream(received.file);
  try {
    return await s3.putObject({
      ...request,
      Body: body,
      ContentLength: received.sizeBytes + SEAL_HEAD_BYTES,
      ContentType: 'application/octet-stream',
    });
  } catch (error) {
    if (attempt === UPLOAD_ATTEMPTS || !isPassing(error)) throw error;
  } finally {
    // A server that answers before it has read everything would leave the file open for ever.
    body.destroy();
  }
  await setTimeout(UPLOAD_PAUSE_MS * 2 ** attempt * Math.random());
  return upload(s3, request, received, attempt + 1);
}

/** Only while the object is the one with this entity tag. */
async function remove(s3: S3, place: Place, tag: string): Promise<boolean> {
  const isOther = (refusal: S3ServiceException) => isConditionRefused(refusal) || isAbsent(refusal);
  return (await unless(isOther, () => s3.deleteObject({ ...place, IfMatch: tag }))) !== undefined;
}

/** The entity tag of what is there. */
async function tagOf(s3: S3, place: Place): Promise<string | undefined> {
  return (await unless(isAbsent, () => s3.headObject(place)))?.ETag;
}

async function* objects(s3: S3, bucket: string, prefix: string): AsyncGenerator<KeptContent> {
  const pages = paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix: prefix });
  try {
    for await (const { Contents = [] } of pages)
      for (const { Key = '', Size = 0, LastModified } of Contents) {
        const sha256 = /^[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(Key.slice(prefix.length))?.[1];
        if (sha256 && LastModified)
          yield { sha256, sizeBytes: Math.max(Size - SEAL_HEAD_BYTES, 0), storedAt: LastModified };
      }
  } catch (error) {
    throw unavailable(error);
  }
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
