import { join } from 'node:path';
import { writtenFault } from '../addresses/written-fault.ts';
import { optional, readerOf, setting, text, wholeNumber } from './setting.ts';

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

export const documentSettings = {
  DOCUMENT_STORE: setting(
    text,
    'folder',
    '`folder`: `<DATA_DIR>/documents`. `s3://<bucket>/<prefix>`: [bucket](#document-store).',
  ),
  DOCUMENT_LIMIT_MIB: setting(wholeNumber(1, 1024), 25, 'Largest document.'),
};

export const bucketSettings = {
  S3_REGION: optional(text, 'Region of the bucket.', '`AWS_REGION`, or `us-east-1`'),
  S3_ENDPOINT: optional(text, 'Address of another server.', 'S3'),
  S3_ACCESS_KEY_ID: optional(text, "Credentials. Unset: the AWS SDK's sources (variables, files, machine role)."),
  S3_SECRET_ACCESS_KEY: optional(text, 'Secret of `S3_ACCESS_KEY_ID`.'),
};

/** Appends problems to `faults`. */
export function readDocuments(
  env: NodeJS.ProcessEnv,
  mode: 'sandbox' | 'live',
  dataDir: string,
  faults: string[],
): DocumentSettings {
  const read = readerOf(documentSettings, env, faults);
  const folder = join(dataDir, 'documents');
  return {
    limitMib: read('DOCUMENT_LIMIT_MIB'),
    incoming: join(folder, 'incoming'),
    store: readStore(read('DOCUMENT_STORE'), env, mode, faults) ?? { kind: 'folder', folder },
  };
}

function readStore(store: string, env: NodeJS.ProcessEnv, mode: 'sandbox' | 'live', faults: string[]) {
  if (store === 'folder') {
    const unused = Object.keys(bucketSettings).filter((name) => env[name]);
    faults.push(...unused.map((name) => `${name} is set, but DOCUMENT_STORE is folder; use s3://<bucket>/<prefix>.`));
    return undefined;
  }
  const found = BUCKET.exec(store)?.groups;
  // Not shown, because it may contain a key.
  if (!found) faults.push('DOCUMENT_STORE must be folder or s3://<bucket>/<prefix>, without credentials.');
  const read = readerOf(bucketSettings, env, faults);
  return {
    kind: 'bucket' as const,
    bucket: found?.['bucket'] ?? '',
    prefix: found?.['prefix'] ? `${found['prefix']}/` : '',
    region: read('S3_REGION') || env['AWS_REGION'] || 'us-east-1',
    endpoint: readEndpoint(read('S3_ENDPOINT'), mode, faults),
    credentials: readCredentials(read('S3_ACCESS_KEY_ID'), read('S3_SECRET_ACCESS_KEY'), faults),
  };
}

function readEndpoint(text: string | undefined, mode: 'sandbox' | 'live', faults: string[]): string | undefined {
  if (!text) return undefined;
  const url = URL.parse(text);
  const scheme = url?.protocol === 'https:' || (mode === 'sandbox' && url?.protocol === 'http:');
  if (!url || !scheme || url.username || url.password || url.search || url.hash)
    faults.push(
      `S3_ENDPOINT ${writtenFault('uri', text) ?? `must be an ${mode === 'live' ? 'https' : 'http or https'} address without credentials`}.`,
    );
  return text;
}

function readCredentials(accessKeyId = '', secretAccessKey = '', faults: string[]): BucketSettings['credentials'] {
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey };
  if (accessKeyId) faults.push('S3_SECRET_ACCESS_KEY is missing; S3_ACCESS_KEY_ID needs it.');
  if (secretAccessKey) faults.push('S3_ACCESS_KEY_ID is missing; S3_SECRET_ACCESS_KEY needs it.');
  return undefined;
}
