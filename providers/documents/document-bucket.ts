import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import {
  type PutObjectCommandInput,
  type PutObjectCommandOutput,
  paginateListObjectsV2,
  S3,
  type S3ServiceException,
} from '@aws-sdk/client-s3';
import { sharedTurns } from '../../core/fair-turns.ts';
import { newId } from '../../core/ids.ts';
import { memoized } from '../../core/memoized.ts';
import { SEAL_HEAD_BYTES } from '../../core/secrets/sealing.ts';
import type { BucketSettings } from '../../core/settings/document-settings.ts';
import { providerAgents } from '../outbound/connections.ts';
import { isAbsent, isConditionRefused, isPassing, unavailable, unless } from './bucket-refusals.ts';
import { onDisk, withoutPath } from './disk.ts';
import type { DocumentStore, KeptContent } from './port.ts';
import { gone } from './read-document.ts';
import { type ReceivedDocument, type Receiving, removeLeftovers } from './receive-document.ts';
import { sealedStore } from './sealed-store.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const SILENCE_TIMEOUT_MS = 30_000;
const UPLOAD_ATTEMPTS = 3;
const UPLOAD_PAUSE_MS = 200;
/**
 * How many calls are under way at once. A call ends with the head of its answer, so that callers who read slowly hold no turn; who uploads has
 * the time that an upload may take.
 */
const CALLS = { atOnce: 50, ofOneParty: 25, waits: { at: 'calls', maxWaiting: 1_000, waitMs: 60_000 } } as const;

/** Keeps the SDK's warnings off the console; failures are thrown. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

interface Place {
  Bucket: string;
  Key: string;
}

/**
 * Documents in a bucket on S3 or a compatible server, encrypted before upload and addressed by their plaintext's digest. Each put
 * encrypts again and so changes the ETag, by which a writer that discards its object recognizes it. Nothing is removed from a server that
 * ignores conditional requests: a race would go unnoticed.
 */
export async function createDocumentBucket(settings: BucketSettings, receiving: Receiving): Promise<DocumentStore> {
  const s3 = connectBucket(settings);
  const { bucket, prefix } = settings;
  const placeOf = (sha256: string): Place => ({ Bucket: bucket, Key: `${prefix}${sha256.slice(0, 2)}/${sha256}` });
  const honoursConditions = memoized(() => probe(s3, { Bucket: bucket, Key: `${prefix}probe-${newId()}` }));
  const recover = () => removeLeftovers(receiving);
  const keep = async (received: ReceivedDocument) => {
    const place = placeOf(received.sha256);
    const created = await store(s3, place, received);
    return async () => {
      if (created && (await tagOf(s3, place)) === created && (await honoursConditions()))
        await remove(s3, place, created);
    };
  };
  await recover();
  return {
    ...sealedStore(receiving, { keep, read: (sha256) => download(s3, placeOf(sha256)) }),
    kept: () => objects(s3, bucket, prefix),
    async removeUnless(sha256, isNeeded) {
      const place = placeOf(sha256);
      const found = await unless(isAbsent, () => s3.headObject(place));
      if (!found) return 'gone';
      const { LastModified, ETag } = found;
      if (!LastModified || !ETag || (await isNeeded(LastModified)) || !(await honoursConditions())) return 'kept';
      return (await remove(s3, place, ETag)) ? 'removed' : 'kept';
    },
    recover,
  };
}

export function connectBucket({ region, endpoint, credentials }: BucketSettings): S3 {
  const agents = providerAgents(CONNECT_TIMEOUT_MS);
  const inTurn = sharedTurns(CALLS);
  const s3 = new S3({
    region,
    ...(credentials ? { credentials } : {}),
    // Self-hosted servers rarely have a host name per bucket.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // Many servers reject the SDK's checksum trailers; authenticated encryption detects more anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: silent,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
      httpAgent: agents.http,
      httpsAgent: agents.https,
    },
  });
  s3.middlewareStack.add((next) => (call) => inTurn(() => next(call)), { step: 'initialize', name: 'inTurn' });
  return s3;
}

/** Tests on its own object whether the server honours conditional requests: some servers support one kind, some none. */
async function probe(s3: S3, place: Place): Promise<boolean> {
  const create = () => unless(isConditionRefused, () => s3.putObject({ ...place, Body: 'probe', IfNoneMatch: '*' }));
  try {
    return Boolean(await create()) && !(await create()) && !(await remove(s3, place, '"another"'));
  } finally {
    await unless(isAbsent, () => s3.deleteObject(place));
  }
}

/** @returns the ETag when nothing was there before */
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

/** The SDK does not retry streaming uploads. */
async function upload(
  s3: S3,
  request: PutObjectCommandInput,
  received: ReceivedDocument,
  attempt = 1,
): Promise<PutObjectCommandOutput> {
  const file = await onDisk(open(received.file));
  const body = file.createReadStream();
  // The SDK does not listen, so an error of the disk would end the process.
  const broken = new AbortController();
  body.once('error', () => broken.abort());
  const sent = {
    ...request,
    Body: body,
    ContentLength: received.sizeBytes + SEAL_HEAD_BYTES,
    ContentType: 'application/octet-stream',
  };
  try {
    return await s3.putObject(sent, { abortSignal: broken.signal });
  } catch (error) {
    if (body.errored) throw withoutPath(body.errored);
    if (attempt === UPLOAD_ATTEMPTS || !isPassing(error)) throw error;
  } finally {
    // A server that answers early would leave the file open.
    body.destroy();
  }
  await setTimeout(UPLOAD_PAUSE_MS * 2 ** attempt * Math.random());
  return upload(s3, request, received, attempt + 1);
}

/** Removes the object only if its ETag matches. */
async function remove(s3: S3, place: Place, tag: string): Promise<boolean> {
  const isOther = (refusal: S3ServiceException) => isConditionRefused(refusal) || isAbsent(refusal);
  return (await unless(isOther, () => s3.deleteObject({ ...place, IfMatch: tag }))) !== undefined;
}

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
