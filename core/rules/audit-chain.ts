import { createHash } from 'node:crypto';

/** The hashed fields of an entry. The names are part of the hash and must never change. */
export interface ChainedEntry {
  /** From 1, without gaps. */
  position: number;
  sequence: number;
  at: string;
  actor_kind: string;
  actor: string;
  action: string;
  resource_id: string;
  correlation_id: string | null;
}

/** The end of a chain. A copy kept elsewhere reveals later truncation or rewriting. */
export interface ChainHead {
  position: number;
  hash: string;
}

/** The predecessor of the first entry. */
export const BEGINNING: ChainHead = { position: 0, hash: '0'.repeat(64) };

/** SHA-256 in lower-case hex over the UTF-8 bytes of the former hash, a line feed, and the entry as JSON. */
export function chainHash(previousHash: string, entry: ChainedEntry): string {
  return createHash('sha256')
    .update(`${previousHash}\n${exportLine(entry)}`)
    .digest('hex');
}

/**
 * An entry with its hash as a line of an export; without `hash`, the hashed text. RFC 8785: sorted names, no spaces, strings and numbers
 * as JavaScript serializes them.
 */
export function exportLine(entry: ChainedEntry, hash?: string | null): string {
  const { action, actor, actor_kind, at, correlation_id, position, resource_id, sequence } = entry;
  return JSON.stringify({ action, actor, actor_kind, at, correlation_id, hash, position, resource_id, sequence });
}

export function headText({ position, hash }: ChainHead): string {
  return `${position}:${hash}`;
}

/** @returns undefined when invalid */
export function readHead(text: string): ChainHead | undefined {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return position === undefined || hash === undefined ? undefined : { position: Number(position), hash };
}

export interface ChainFault {
  /** The first position that does not verify. */
  position: number;
  reason: /** No entry has this position, but later ones exist. */
    | 'missing'
    /** The entry, or one before it, differs from what was hashed. */
    | 'changed'
    /** The chain ends before the known head. */
    | 'cut'
    /** The entry verifies, but its hash is not the known one: the chain was rewritten. */
    | 'rewritten';
}

/** Verifies a chain entry by entry from its beginning. */
export class ChainWalk {
  private head: ChainHead = BEGINNING;
  private found: ChainFault | undefined;
  private readonly kept: ChainHead | undefined;

  /** @param kept a head known from earlier */
  constructor(kept?: ChainHead) {
    this.kept = kept;
  }

  /** @returns whether it verifies; ignores everything after the first fault */
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

  /** The last verified entry, and the fault behind it, if any. */
  end(): { head: ChainHead; fault: ChainFault | undefined } {
    const isCut = this.kept !== undefined && this.kept.position > this.head.position;
    const cut: ChainFault | undefined = isCut ? { position: this.head.position + 1, reason: 'cut' } : undefined;
    return { head: this.head, fault: this.found ?? cut };
  }
}
