/** A token of a content stream; all tokens together reproduce it byte for byte. ISO 32000-1, 7.2 and 7.8.2. */
export interface Token {
  kind: 'string' | 'hex' | 'name' | 'operator' | 'number' | 'open' | 'close' | 'space';
  /** As written in the stream. */
  raw: string;
}

const PATTERNS: readonly (readonly [Token['kind'], RegExp])[] = [
  ['space', /(?:[\0\t\n\f\r ]+|%[^\r\n]*)/y],
  ['hex', /<[\da-fA-F\s]*>/y],
  ['open', /<<|\[/y],
  ['close', />>|\]/y],
  ['name', /\/[^\0\t\n\f\r ()<>[\]{}/%]*/y],
  ['number', /[+-]?(?:\d+\.?\d*|\.\d+)(?![^\0\t\n\f\r ()<>[\]{}/%])/y],
  ['operator', /[^\0\t\n\f\r ()<>[\]{}/%]+/y],
];

/** @throws on inline images, and on invalid content */
export function tokensOf(content: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < content.length) {
    const token = content[at] === '(' ? { kind: 'string' as const, raw: literalAt(content, at) } : tokenAt(content, at);
    if (token.raw === 'ID') throw new Error('A picture in the content.');
    tokens.push(token);
    at += token.raw.length;
  }
  return tokens;
}

function tokenAt(content: string, at: number): Token {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const [raw] = pattern.exec(content) ?? [];
    if (raw) return { kind, raw };
  }
  throw new Error(`No content at ${at}.`);
}

function literalAt(content: string, from: number): string {
  let depth = 0;
  for (let at = from; at < content.length; at += 1) {
    const character = content[at];
    if (character === '\\') at += 1;
    else if (character === '(') depth += 1;
    else if (character === ')' && --depth === 0) return content.slice(from, at + 1);
  }
  throw new Error('A string without end.');
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** The bytes that a string token encodes. */
export function bytesOf({ kind, raw }: Token): string {
  if (kind === 'hex') {
    const digits = raw.slice(1, -1).replace(/\s/g, '');
    return Buffer.from(digits.padEnd(digits.length + (digits.length % 2), '0'), 'hex').toString('latin1');
  }
  return raw.slice(1, -1).replace(/\\([0-7]{1,3}|\r\n|[\s\S])/g, (_, escaped: string) => unescaped(escaped));
}

function unescaped(escaped: string): string {
  if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 255);
  // A line continued on the next.
  if (/^[\r\n]/.test(escaped)) return '';
  return escapes[escaped] ?? escaped;
}

/** The inverse. */
export function tokenOf(kind: Token['kind'], bytes: string): Token {
  if (kind === 'hex') return { kind, raw: `<${Buffer.from(bytes, 'latin1').toString('hex')}>` };
  return { kind, raw: `(${bytes.replace(/[\\()]/g, '\\$&').replace(/\r/g, '\\r')})` };
}
