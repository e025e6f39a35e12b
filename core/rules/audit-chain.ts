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

/**
 * @returns undefined for text that is not a line of an export
 */
export function readExportLine(line: string): { entry: ChainedEntry; hash: string } | undefined {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof read !== 'object' || read === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(read));
  const text = (name: string) => textOf(fields.get(name));
  const [position, sequence, correlation] = ['position', 'sequence', 'correlation_id'].map((name) => fields.get(name));
  const [at, actor_kind, actor] = [text('at'), text('actor_kind'), text('actor')];
  const [action, resource_id, hash] = [text('action'), text('resource_id'), text('hash')];
  const correlation_id = correlation === null ? null : textOf(correlation);
  if (typeof position !== 'number' || typeof sequence !== 'number' || correlation_id === undefined) return undefined;
  if (at === undefined || actor_kind === undefined || actor === undefined) return undefined;
  if (action === undefined || resource_id === undefined || hash === undefined) return undefined;
  return { entry: { position, sequence, at, actor_kind, actor, action, resource_id, correlation_id }, hash };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
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
    | 'rewritten'
    /** A head that is kept for the log has no valid seal. */
    | 'forged'
    /** An archive has no valid seal: its row may hide entries that no file holds. */
    | 'unsealed';
}

/** Verifies a chain entry by entry. */
export class ChainWalk {
  private head: ChainHead;
  private found: ChainFault | undefined;
  private readonly known: ReadonlyMap<number, readonly ChainHead[]>;

  /** @param from the entry before the first one @param known heads from earlier, which the chain must agree with when it reaches them */
  constructor(from: ChainHead = BEGINNING, known: readonly ChainHead[] = []) {
    this.head = from;
    this.known = Map.groupBy(known, ({ position }) => position);
    this.compare(from);
  }

  /** @returns whether it verifies; ignores everything after the first fault */
  take(entry: ChainedEntry, hash: string | null): boolean {
    if (this.found) return false;
    const position = this.head.position + 1;
    if (entry.position !== position) this.found = { position, reason: 'missing' };
    else if (hash === null || chainHash(this.head.hash, entry) !== hash) this.found = { position, reason: 'changed' };
    else if (this.compare({ position, hash })) this.head = { position, hash };
    return this.found === undefined;
  }

  private compare({ position, hash }: ChainHead): boolean {
    if ((this.known.get(position) ?? []).every((known) => known.hash === hash)) return true;
    this.found = { position, reason: 'rewritten' };
    return false;
  }

  /** The last verified entry, and the fault behind it, if any. */
  end(): { head: ChainHead; fault: ChainFault | undefined } {
    return { head: this.head, fault: this.found };
  }
}
