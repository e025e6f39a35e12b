import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BackedUpFile } from '../../core/rules/backup-manifest.ts';

type Content = Omit<BackedUpFile, 'path'>;

export async function contentOf(file: string): Promise<Content> {
  const weigh = new Weighed();
  for await (const piece of weigh.pieces(createReadStream(file))) void piece;
  return weigh.content();
}

/** Copies a file, readable by its owner only, and flushes it to the disk. @returns its size and digest */
export async function copyFileTo(file: string, to: string): Promise<Content> {
  const weigh = new Weighed();
  // Opened first, so that a missing source leaves no target behind.
  const source = await open(file);
  const target = await open(to, 'wx', 0o600);
  await pipeline(weigh.pieces(source.createReadStream()), target.createWriteStream({ flush: true }));
  return weigh.content();
}

/** Makes the entries of a folder survive a crash. */
export async function keepFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** As above, for the folder of a file. */
export async function keepFolderOf(file: string): Promise<void> {
  await keepFolder(dirname(file));
}

class Weighed {
  private readonly hash = createHash('sha256');
  private sizeBytes = 0;

  async *pieces(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of content) {
      this.hash.update(piece);
      this.sizeBytes += piece.length;
      yield piece;
    }
  }

  content(): Content {
    return { size_bytes: this.sizeBytes, sha256: this.hash.digest('hex') };
  }
}
