import { createHash } from 'node:crypto';

/** What the chain says of an entry. The names are part of what is hashed: they cannot change any more. */
export interface ChainedEntry {
  /** From 1, without a gap. */
  position: number;
  sequence: number;
  at: string;
  actor_kind: string;
  actor: string;
  action: string;
  resource_id: string;
  correlation_id: string | null;
}

/** Where a chain ends: whoever keeps it elsewhere notices later whether what came before was cut off or written anew. */
export interface ChainHead {
  position: number;
  hash: string;
}

/** What the first entry follows. */
export const BEGINNING: ChainHead = { position: 0, hash: '0'.repeat(64) };

/**
 * The hash of an entry: SHA-256, in lower-case hex, over the UTF-8 bytes of the hash before it, a line feed, and the entry as JSON.
 */
export function chainHash(previousHash: string, entry: ChainedEntry): string {
  return createHash('sha256')
    .update(`${previousHash}\n${canonicalJson(entry)}`)
    .digest('hex');
}

/** As RFC 8785 has it: the names in the order of the alphabet, no spaces, strings and numbers as JavaScript writes them. */
function canonicalJson(entry: ChainedEntry): string {
  const { action, actor, actor_kind, at, correlation_id, position, resource_id, sequence } = entry;
  return JSON.stringify({ action, actor, actor_kind, at, correlation_id, position, resource_id, sequence });
}

/** An entry with its hash as a line of an export. Without the hash, the line is what was hashed. */
export function exportLine(entry: ChainedEntry, hash: string | null): string {
  const { action, actor, actor_kind, at, correlation_id, position, resource_id, sequence } = entry;
  return JSON.stringify({ action, actor, actor_kind, at, correlation_id, hash, position, resource_id, sequence });
}

/** A head as it is written down. */
export function headText({ position, hash }: ChainHead): string {
  return `${position}:${hash}`;
}

/** @returns undefined when the text is no head */
export function readHead(text: string): ChainHead | undefined {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return position === undefined || hash === undefined ? undefined : { position: Number(position), hash };
}

/** Why a chain does not hold. */
export interface ChainFault {
  /** The first position at which something does not fit. */
  position: number;
  reason: /** No entry has this position, though later ones are there. */
    | 'missing'
    /** The entry, or what came before it, is not what was hashed. */
    | 'changed'
    /** The chain ends before the head that was kept. */
    | 'cut'
    /** The entry fits what came before, but is not the one whose hash was kept: the chain was written anew. */
    | 'rewritten';
}

/** Follows a chain entry by entry from its beginning. */
export class ChainWalk {
  private head: ChainHead = BEGINNING;
  private found: ChainFault | undefined;
  private readonly kept: ChainHead | undefined;

  /** @param kept a head that was told earlier */
  constructor(kept?: ChainHead) {
    this.kept = kept;
  }

  /** @returns whether it fits; after the first that does not, nothing is looked at any more */
  take(entry: ChainedEntry, hash: string | null): boolean {
    if (this.found) return false;
    const position = this.head.position + 1;
    if (entry.position !== position) this.found = { position, reason: 'missing' };
    else if (chainHash(this.head.hash, entry) !== hash) this.found = { position, reason: 'changed' };
    else if (this.kept?.position === position && this.kept.hash !== hash)
      this.found = { position, reason: 'rewritten' };
    else this.head = { position, hash };
    return this.found === undefined;
  }

  /** How far it holds, and why no further, if it does not. */
  end(): { head: ChainHead; fault: ChainFault | undefined } {
    const isCut = this.kept !== undefined && this.kept.position > this.head.position;
    const cut: ChainFault | undefined = isCut ? { position: this.head.position + 1, reason: 'cut' } : undefined;
    return { head: this.head, fault: this.found ?? cut };
  }
}
