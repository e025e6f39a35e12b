/**
 * Reads CBOR (RFC 8949) as far as manifests use it. Integers are rounded to what JavaScript can represent; byte strings and floating-point
 * numbers become null.
 */
export type Cbor = string | number | boolean | null | Cbor[] | Map<string, Cbor>;

const DEPTH = 16;
const ITEMS = 20_000;
const TEXT = 10_000;

/** The first item; undefined if it is damaged or larger than any manifest. */
export function cborOf(bytes: Uint8Array): Cbor | undefined {
  const reader = new Reader(bytes);
  const value = reader.item(0);
  return reader.failed ? undefined : value;
}

class Reader {
  failed = false;
  private at = 0;
  private items = 0;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  item(depth: number): Cbor {
    const head = this.bytes[this.at++];
    if (head === undefined || depth > DEPTH || ++this.items > ITEMS) return this.fail();
    const [major, short] = [head >> 5, head & 31];
    if (major === 7) return this.simple(short);
    const endless = short === 31;
    const argument = endless ? Number.POSITIVE_INFINITY : this.argument(short);
    switch (major) {
      case 0:
        return endless ? this.fail() : argument;
      case 1:
        return endless ? this.fail() : -1 - argument;
      case 2:
        return this.chunks(argument, depth) === undefined ? this.fail() : null;
      case 3:
        return this.chunks(argument, depth) ?? this.fail();
      case 4:
        return this.list(argument, depth);
      case 5:
        return this.map(argument, depth);
      default:
        return endless ? this.fail() : this.item(depth + 1);
    }
  }

  private list(count: number, depth: number): Cbor[] {
    const values: Cbor[] = [];
    while (values.length < count && !this.failed && !this.isBreak(count)) values.push(this.item(depth + 1));
    return values;
  }

  private map(count: number, depth: number): Map<string, Cbor> {
    const values = new Map<string, Cbor>();
    for (let index = 0; index < count && !this.failed && !this.isBreak(count); index++) {
      const key = this.item(depth + 1);
      values.set(String(key), this.item(depth + 1));
    }
    return values;
  }

  /** A byte or text string, in one piece or in several; as text, truncated to a sensible length. */
  private chunks(length: number, depth: number): string | undefined {
    if (length !== Number.POSITIVE_INFINITY) return this.piece(length);
    let text = '';
    while (!this.failed && !this.isBreak(length)) {
      const head = this.bytes[this.at] ?? 0;
      if (depth > DEPTH || (head & 31) === 31 || ++this.items > ITEMS) return undefined;
      this.at++;
      text = (text + (this.piece(this.argument(head & 31)) ?? '')).slice(0, TEXT);
    }
    return text;
  }

  private piece(length: number): string | undefined {
    const from = this.at;
    this.at += length;
    if (this.at > this.bytes.length) {
      this.failed = true;
      return undefined;
    }
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + from, Math.min(length, TEXT)).toString('utf8');
  }

  private argument(short: number): number {
    if (short < 24) return short;
    const size = 1 << (short - 24);
    if (short > 27 || this.at + size > this.bytes.length) return Number(this.fail());
    const from = this.at;
    this.at += size;
    if (size === 8) return Number(this.view.getBigUint64(from));
    if (size === 4) return this.view.getUint32(from);
    return size === 2 ? this.view.getUint16(from) : this.view.getUint8(from);
  }

  private simple(short: number): Cbor {
    if (short === 20 || short === 21) return short === 21;
    if (short >= 24 && short <= 27) this.at += 1 << (short - 24);
    return null;
  }

  private isBreak(count: number): boolean {
    if (count !== Number.POSITIVE_INFINITY || this.bytes[this.at] !== 0xff) return false;
    this.at++;
    return true;
  }

  private fail(): null {
    this.failed = true;
    this.at = this.bytes.length;
    return null;
  }
}
