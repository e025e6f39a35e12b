import { join } from 'node:path';
import { valuesOf } from './values.ts';

/** The document store, and the size limit of a document. */
export interface DocumentSettings {
  limitMib: number;
  /** Holds incoming documents, encrypted, until they are complete. */
  incoming: string;
  store: { kind: 'folder'; folder: string } | ({ kind: 'bucket' } & BucketSettings);
}

/** A bucket on S3 or a compatible server. */
export interface BucketSettings {
  bucket: string;
  /** The prefix of every key: empty, or ending in a slash. */
  prefix: string;
  region: string;
  /** Undefined means S3 itself. */
  endpoint: string | undefined;
  /** Undefined leaves them to the SDK's own lookup: variables, files, the machine's role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

const BUCKET = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[\w.-]+(?:\/[\w.-]+)*)?\/?)?$/;
const OF_BUCKETS = ['S3_REGION', 'S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];

/** Appends problems to `faults`. */
export function readDocuments(
  env: NodeJS.ProcessEnv,
  mode: 'sandbox' | 'live',
  dataDir: string,
  faults: string[],
): DocumentSettings {
  const folder = join(dataDir, 'documents');
  return {
    limitMib: valuesOf(env, faults).wholeNumber('DOCUMENT_LIMIT_MIB', 25, 1024),
    incoming: join(folder, 'incoming'),
    store: readStore(env, mode, faults) ?? { kind: 'folder', folder },
  };
}

function readStore(env: NodeJS.ProcessEnv, mode: 'sandbox' | 'live', faults: string[]) {
  const text = env['DOCUMENT_STORE'] || 'folder';
  if (text === 'folder') {
    const unused = OF_BUCKETS.filter((name) => env[name]);
    faults.push(...unused.map((name) => `${name} is set, but DOCUMENT_STORE is folder; use s3://<bucket>/<prefix>.`));
    return undefined;
  }
  const found = BUCKET.exec(text)?.groups;
  // Not shown, because it may contain a key.
  if (!found) faults.push('DOCUMENT_STORE must be folder or s3://<bucket>/<prefix>, without credentials.');
  return {
    kind: 'bucket' as const,
    bucket: found?.['bucket'] ?? '',
    prefix: found?.['prefix'] ? `${found['prefix']}/` : '',
    region: env['S3_REGION'] || env['AWS_REGION'] || 'us-east-1',
    endpoint: readEndpoint(env['S3_ENDPOINT'], mode, faults),
    credentials: readCredentials(env['S3_ACCESS_KEY_ID'], env['S3_SECRET_ACCESS_KEY'], faults),
  };
}

function readEndpoint(text: string | undefined, mode: 'sandbox' | 'live', faults: string[]): string | undefined {
  if (!text) return undefined;
  const url = URL.parse(text);
  const scheme = url?.protocol === 'https:' || (mode === 'sandbox' && url?.protocol === 'http:');
  if (!url || !scheme || url.username || url.password || url.search || url.hash)
    faults.push(`S3_ENDPOINT must be an ${mode === 'live' ? 'https' : 'http or https'} address without credentials.`);
  return text;
}

function readCredentials(accessKeyId = '', secretAccessKey = '', faults: string[]): BucketSettings['credentials'] {
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey };
  if (accessKeyId) faults.push('S3_SECRET_ACCESS_KEY is missing; S3_ACCESS_KEY_ID needs it.');
  if (secretAccessKey) faults.push('S3_ACCESS_KEY_ID is missing; S3_SECRET_ACCESS_KEY needs it.');
  return undefined;
}
