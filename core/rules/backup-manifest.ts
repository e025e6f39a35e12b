import { isRecord, parsedJson } from '../text.ts';

/** A backup cannot be made or restored; the message says what to do. */
export class BackupRefused extends Error {}

export interface BackedUpFile {
  /** Relative to the backup folder, with slashes. */
  path: string;
  size_bytes: number;
  sha256: string;
}

/** The contents of a backup. Written last: without it, the backup is incomplete. */
export interface Manifest {
  format: 1;
  id: string;
  made_at: string;
  schema_version: string;
  /** The fingerprint of the encryption key, which is not part of the backup. */
  encryption_key: string;
  rows: Record<string, number>;
  /** Documents with a row whose bytes were missing from the store. */
  missing_documents: number;
  /** False when documents are in a bucket, which the backup does not include. */
  has_documents: boolean;
  files: BackedUpFile[];
}

export const MANIFEST_FILE = 'manifest.json';
export const DATABASE_FILE = 'service.db';

const DIGEST = /^[0-9a-f]{64}$/;
const DOCUMENT = /^documents\/(?<sha256>[0-9a-f]{64})$/;

/** The path of a document within a backup. */
export function documentPath(sha256: string): string {
  return `documents/${sha256}`;
}

/** The digest of the document at a path; undefined for anything else. */
export function documentAt(path: string): string | undefined {
  return DOCUMENT.exec(path)?.groups?.['sha256'];
}

/** @throws BackupRefused when invalid, or when it names unexpected files */
export function readManifest(text: string): Manifest {
  const parsed = parsedJson(text);
  if (isManifest(parsed)) return parsed;
  throw new BackupRefused(`its ${MANIFEST_FILE} was changed, or is of a version that this one does not know`);
}

function isManifest(value: unknown): value is Manifest {
  if (!isRecord(value)) return false;
  const { format, rows, files } = value;
  const areTexts = ['id', 'made_at', 'schema_version', 'encryption_key'].every((name) => isText(value[name]));
  const isRest = isNumber(value['missing_documents']) && typeof value['has_documents'] === 'boolean';
  const areRows = isRecord(rows) && Object.values(rows).every(isNumber);
  const isWhole = Array.isArray(files) && files.every(isFile) && files.some(({ path }) => path === DATABASE_FILE);
  return format === 1 && areTexts && isRest && areRows && isWhole;
}

/** Accepts only known paths, so none leads out of the folder. */
function isFile(value: unknown): value is BackedUpFile {
  if (!isRecord(value)) return false;
  const { path, size_bytes, sha256 } = value;
  const isKnown = isText(path) && (path === DATABASE_FILE || documentAt(path) !== undefined);
  return isKnown && isNumber(size_bytes) && isText(sha256) && DIGEST.test(sha256);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
