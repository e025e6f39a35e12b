import type { Call } from '../properties/curl.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** Percent-encodes every byte. */
const ESCAPED_UUID = /(?:%(?:2d|3\d|[46][1-6])){36}/gi;
/** An identifier, or the token at the end of a hosted page's address. */
const MADE = new RegExp(`(?<=/verify/(?:kyc|eid)/)[\\w.-]+|${UUID.source}`, 'gi');

/** Maps the identifiers of two stacks onto each other, learnt from their answers. */
export class MadeIds {
  private readonly pairs = new Map<string, string>();
  private readonly theirs = new Set<string>();
  /** Identifiers that both stacks have had from the start. */
  private readonly common = new Set<string>();

  /** @param text a text whose identifiers are the same on both sides */
  know(text: string): void {
    for (const [id] of text.matchAll(UUID)) this.common.add(id.toLowerCase());
  }

  /** Translates one stack's answer into the identifiers of the other. Unknown identifiers stay unchanged. */
  translated(ours: string, theirs: string): string {
    const others = [...theirs.matchAll(MADE)].map(([id]) => id);
    return ours.replace(MADE, (id) => {
      const other = others.shift() ?? '';
      if (!this.pairs.has(id) && !this.theirs.has(other) && !this.common.has(id) && !this.common.has(other)) {
        this.pairs.set(id, other);
        this.theirs.add(other);
      }
      return this.pairs.get(id) ?? id;
    });
  }

  /** Translates a request to one stack for the other. */
  inCall({ path, headers, body, ...call }: Call): Call {
    return {
      ...call,
      path: this.inText(path),
      headers: headers.map(([name, value]) => [name, this.inText(value)]),
      // As bytes, because the body may not be UTF-8.
      ...(body ? { body: Buffer.from(this.inText(body.toString('latin1')), 'latin1') } : {}),
    };
  }

  private inText(text: string): string {
    return text
      .replace(UUID, (id) => this.pairs.get(id) ?? this.pairs.get(id.toLowerCase())?.toUpperCase() ?? id)
      .replace(ESCAPED_UUID, (escaped) => {
        const other = this.pairs.get(decodeURIComponent(escaped));
        if (other === undefined) return escaped;
        const bytes = [...Buffer.from(other)].map((byte) => `%${byte.toString(16)}`).join('');
        return escaped === escaped.toUpperCase() ? bytes.toUpperCase() : bytes;
      });
  }
}
