import { isUtf8 } from 'node:buffer';

/** Undoes a program's change to a whole body; undefined or an equal value when the change was not made. */
type Undone = Uint8Array | string | undefined;

const BOM = Buffer.of(0xef, 0xbb, 0xbf);
/** Slow on long bodies; the service's bodies are short. */
const MAX_ESCAPED_LENGTH = 1_000_000;

export function withoutMark(body: Buffer): Undone {
  return body.subarray(0, BOM.length).equals(BOM) ? body.subarray(BOM.length) : undefined;
}

export function trimmed(body: Buffer): Undone {
  return Buffer.from(body.toString('latin1').trim(), 'latin1');
}

export function lineFeeds(body: Buffer): Undone {
  return Buffer.from(body.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

export function fromUtf16(body: Buffer): Undone {
  if (!body.includes(0)) return undefined;
  const isBigEndian = body[0] === 0 || (body[0] === 0xfe && body[1] === 0xff);
  return new TextDecoder(isBigEndian ? 'utf-16be' : 'utf-16le').decode(body);
}

export function fromLatin1(body: Buffer): Undone {
  return isUtf8(body) ? undefined : new TextDecoder('windows-1252').decode(body);
}

export function encodedOnce(body: Buffer): Undone {
  const text = body.toString();
  const once = Buffer.from(text, 'latin1');
  return isUtf8(once) ? once : undefined;
}

export function otherNormalForm(body: Buffer): Undone {
  const text = body.toString();
  const composed = text.normalize('NFC');
  return composed === text ? text.normalize('NFD') : composed;
}

/** Also handles the value of a form's only field, and the `=` that form parsers append to a bare body. */
export function notUrlEncoded(body: Buffer): Undone {
  const text = body.toString('latin1').trim();
  if (!/^([\w.-]+=)?%[57]b/i.test(text)) return /^\{.*\}=$/s.test(text) ? body.subarray(0, -1) : undefined;
  const [value] = text.replace(/^[\w.-]+=(?=%)/, '').split('&');
  try {
    return decodeURIComponent((value ?? '').replace(/=$/, '').replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

export function fromBase64(body: Buffer): Undone {
  const text = body.toString('latin1').trim();
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

export function insideString(body: Buffer): Undone {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

export function insideLiteral(body: Buffer): Undone {
  const inner = /^b?'(.*)'\s*$/s.exec(body.toString())?.[1];
  if (inner === undefined) return undefined;
  const decoded = inner.replace(/\\x([0-9a-f]{2})|\\(['\\])/g, (_, hex?: string, plain?: string) =>
    hex === undefined ? (plain ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

const ENTITIES: Record<string, string> = { quot: '"', '#34': '"', '#39': "'", lt: '<', gt: '>', amp: '&' };

export function notHtml(body: Buffer): Undone {
  if (body.length > MAX_ESCAPED_LENGTH) return undefined;
  return body.toString().replace(/&(quot|#34|#39|lt|gt|amp);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}
