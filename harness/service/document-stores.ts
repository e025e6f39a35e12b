import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type BuildOptions, build, type Parts } from '../../bin/service/build.ts';
import { createLog } from '../../core/log.ts';
import type { KeyRing } from '../../core/secrets/key-ring.ts';
import { readConfig } from '../../core/settings/config.ts';
import { preparedDatabase } from '../database/databases.ts';
import { startBucket, type TestBucket } from '../peers/bucket.ts';
import { PATIENCE } from '../process/process.ts';

/** A service's parts with one kind of document store, and a look behind it. */
export interface TestStore {
  parts: Parts;
  folder: string;
  env: Record<string, string>;
  ring: KeyRing;
  /** The file that holds a document's sealed bytes. */
  fileOf(sha256: string): string;
  /** What is stored, one `ab/<sha256>` a document. */
  keys(): Promise<string[]>;
  /** The files of documents in transit. */
  incoming(): Promise<string[]>;
  /** As in the bucket. */
  beforeNext: TestBucket['beforeNext'];
  stop(): Promise<void>;
}

const conditions = {
  bucket: 'heeded',
  'bucket that ignores conditions': 'ignored',
  'bucket that refuses conditions': 'refused',
} as const;

export type StoreKind = 'folder' | keyof typeof conditions;

export async function startStore(
  kind: StoreKind,
  settings: Record<string, string> = {},
  options: BuildOptions = {},
): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'screening-documents-'));
  const bucket = kind === 'folder' ? undefined : await startBucket(conditions[kind]);
  const DATABASE_URL = await preparedDatabase(folder);
  const env = { ...PATIENCE, DATA_DIR: folder, DATABASE_URL, ...bucket?.env, ...settings };
  const config = readConfig(env);
  const parts = await build(config, { log: createLog('silent'), ...options });
  const documents = join(folder, 'documents');
  return {
    parts,
    folder,
    env,
    ring: config.keys.encryption,
    fileOf: bucket?.fileOf ?? ((sha256) => join(documents, sha256.slice(0, 2), sha256)),
    keys: bucket?.keys ?? (async () => (await filesIn(documents)).filter((name) => !name.startsWith('incoming'))),
    incoming: () => filesIn(config.documents.incoming),
    beforeNext: (method, action) => bucket?.beforeNext(method, action),
    stop: async () => {
      await parts.close();
      await bucket?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}

/** An incoming document. */
export async function* pieces(...contents: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const content of contents) yield Buffer.from(content);
}

/** The error of a rejected promise. */
export async function refusal(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('it was not refused'),
    (error) => error,
  );
}
