import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { seal, unseal } from '../core/secrets.ts';
import type { DocumentStore } from './providers.ts';
import { writeWhole } from './write-whole.ts';

/** Documents in a local folder, encrypted with the service's key and named by the digest of what they hold. */
export function createDocumentFolder(folder: string, key: Uint8Array): DocumentStore {
  const fileOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256);
  return {
    async put(content) {
      const sha256 = createHash('sha256').update(content).digest('hex');
      const file = fileOf(sha256);
      if (!(await exists(file))) await writeWhole(file, seal(content, key));
      return { sha256, sizeBytes: content.byteLength };
    },
    async get(sha256) {
      return unseal(await readFile(fileOf(sha256)), key);
    },
  };
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
