import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { BEGINNING, type ChainFault, type ChainHead, ChainWalk, readExportLine } from '../../core/rules/audit-chain.ts';
import { fingerprint, type KeyRing, keysOf } from '../../core/secrets/key-ring.ts';
import { BrokenSeal, SEAL_HEAD_BYTES, startSealing, unsealStream } from '../../core/secrets/sealing.ts';

/** The first line of a sealed export; behind it are the sealed lines, and at the end the head of the seal. */
const SEALED = /^sealed audit log, encryption key ([0-9a-f]{8})\n/;
const FIRST_LINE_BYTES = firstLine('00000000').length;

function firstLine(key: string): Buffer {
  return Buffer.from(`sealed audit log, encryption key ${key}\n`);
}

/** The file is no export, needs a key that is missing here, or its seal is broken. The message ends a sentence about it. */
export class UnreadableExport extends Error {}

/** Encrypts the lines of an export with the current key. */
export async function* sealedExport(lines: AsyncIterable<Buffer>, { current }: KeyRing): AsyncGenerator<Buffer> {
  const sealing = startSealing(current);
  yield firstLine(fingerprint(current));
  for await (const line of lines) yield sealing.update(line);
  yield sealing.finish();
}

export interface VerifiedExport {
  /** The entry before its first one. */
  from: ChainHead;
  /** How far it holds. */
  head: ChainHead;
  /** Behind the head. */
  fault: ChainFault | undefined;
  /** The fingerprint of the key that sealed it; undefined when it is plain. */
  key: string | undefined;
}

/**
 * Follows the chain in an exported file, sealed or not.
 * @param known heads that it must agree with. A file that does not begin with the chain begins behind a known head.
 * @throws UnreadableExport, and the errors of the file system
 */
export async function verifyExport(
  file: string,
  keys: KeyRing,
  known: readonly ChainHead[] = [],
): Promise<VerifiedExport> {
  const sealed = await sealedPart(file, keys);
  const content = sealed ? Readable.from(sealed.lines) : createReadStream(file);
  let from: ChainHead | undefined;
  let walk = new ChainWalk();
  let malformed: number | undefined;
  // Past a fault, too: the seal is checked at the end.
  for await (const line of linesOf(content)) {
    const read = readExportLine(line);
    if (read && !from) {
      from = known.find(({ position }) => position === read.entry.position - 1) ?? BEGINNING;
      walk = new ChainWalk(from, known);
    }
    if (!read) malformed ??= walk.end().head.position + 1;
    else if (malformed === undefined) walk.take(read.entry, read.hash);
  }
  const { head, fault } = walk.end();
  if (malformed === 1 && !fault) throw new UnreadableExport('is no export of the audit log');
  const changed: ChainFault | undefined =
    malformed === undefined ? undefined : { position: malformed, reason: 'changed' };
  return { from: from ?? BEGINNING, head, fault: fault ?? changed, key: sealed?.key };
}

async function* linesOf(content: Readable): AsyncGenerator<string> {
  const failed = new Promise<never>((_, reject) => content.once('error', reject));
  failed.catch(() => {});
  const lines = createInterface({ input: content, crlfDelay: Number.POSITIVE_INFINITY });
  content.once('error', () => lines.close());
  yield* lines;
  if (content.errored) await failed;
}

/** @returns undefined for a plain export */
async function sealedPart(
  file: string,
  keys: KeyRing,
): Promise<{ key: string; lines: AsyncGenerator<Buffer> } | undefined> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const first = Buffer.alloc(FIRST_LINE_BYTES);
    await handle.read(first, 0, FIRST_LINE_BYTES, 0);
    const named = SEALED.exec(first.toString('latin1'))?.[1];
    if (named === undefined) return undefined;
    const key = keysOf(keys).find((one) => fingerprint(one) === named);
    if (!key)
      throw new UnreadableExport(
        `needs the encryption key with the fingerprint ${named}, which is neither ENCRYPTION_KEY nor among FORMER_ENCRYPTION_KEYS`,
      );
    const end = size - SEAL_HEAD_BYTES;
    if (end < FIRST_LINE_BYTES) throw new UnreadableExport('was cut off');
    const head = Buffer.alloc(SEAL_HEAD_BYTES);
    await handle.read(head, 0, SEAL_HEAD_BYTES, end);
    return { key: named, lines: unsealed(file, { head, end, key }) };
  } finally {
    await handle.close();
  }
}

async function* unsealed(file: string, { head, end, key }: { head: Buffer; end: number; key: Uint8Array }) {
  async function* headFirst(): AsyncGenerator<Uint8Array> {
    yield head;
    if (end > FIRST_LINE_BYTES) yield* createReadStream(file, { start: FIRST_LINE_BYTES, end: end - 1 });
  }
  try {
    yield* unsealStream(headFirst(), key);
  } catch (error) {
    throw error instanceof BrokenSeal ? new UnreadableExport('was changed: its seal is broken') : error;
  }
}
