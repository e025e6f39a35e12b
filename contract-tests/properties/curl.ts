/** A request as sent over the wire, independent of any client. */
export interface Call {
  method: string;
  /** With the base path and the query. */
  path: string;
  /** In order; a name may occur twice. Each character is one byte. */
  headers: [string, string][];
  body?: Buffer;
}

/** The shell variables that replace secrets, keyed by the secret. */
export type Placeholders = ReadonlyMap<string, string>;

/** The request as one line for a POSIX shell, byte for byte. A body that cannot be an argument is piped from `printf`. */
export function curlLine(url: string, { method, path, headers, body }: Call, placeholders: Placeholders): string {
  const words = [
    'curl -sS -i --globoff --path-as-is -X',
    method,
    quoted(`${url}${path}`, placeholders),
    ...headers.map(([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`, placeholders)}`),
  ];
  // Without a type, curl would send a form.
  if (body && !headers.some(([name]) => name === 'content-type')) words.push("-H 'content-type:'");
  if (!body) return words.join(' ');
  if (isPlain(body)) return [...words, '--data-binary', quoted(body.toString(), placeholders)].join(' ');
  return `printf '${octal(body)}' | ${[...words, '--data-binary @-'].join(' ')}`;
}

/** Defines the variables in such commands, as a shell line beside a running sandbox. */
export function preparation(lines: string): string {
  const token = (name: string) =>
    `${name}=$(curl -s -X POST -u "$CLIENT_ID:$CLIENT_SECRET" "$BASE_URL/authenticate/token" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
  const basic = (name: string) => `${name}=$(printf %s "$CLIENT_ID:$CLIENT_SECRET" | base64 | tr -d '\\n')`;
  const kinds = { '': '', OWNER_: ' # of another key of the landlord', OUTSIDER_: ' # of a key of another landlord' };
  const used = Object.entries(kinds).flatMap(([kind, whose]) => [
    ...(lines.includes(`"$${kind}TOKEN"`) ? [token(`${kind}TOKEN`) + whose] : []),
    ...(lines.includes(`"$${kind}BASIC"`) ? [basic(`${kind}BASIC`) + whose] : []),
  ]);
  return ['. data/demo.env # of `npm start`', ...used].join('\n');
}

/** Printable ASCII that curl does not interpret as a file name. */
function isPlain(bytes: Buffer): boolean {
  return /^[ -~]*$/.test(bytes.toString('latin1')) && bytes[0] !== '@'.charCodeAt(0);
}

function quoted(text: string, placeholders: Placeholders): string {
  const [secret, name] = [...placeholders].find(([hidden]) => text.includes(hidden)) ?? [];
  if (secret !== undefined && name !== undefined) {
    const parts = text.split(secret).map((part) => (part === '' ? '' : quoted(part, placeholders)));
    return parts.join(`"$${name}"`);
  }
  const bytes = Buffer.from(text, 'latin1');
  return isPlain(bytes) || bytes[0] === '@'.charCodeAt(0)
    ? `'${text.replaceAll("'", `'\\''`)}'`
    : `"$(printf '${octal(bytes)}')"`;
}

/** For `printf`: every special character as three octal digits. */
function octal(bytes: Buffer): string {
  return [...bytes]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (/[\w .,:;=+@/?&{}[\]"()<>!#$*^|~`-]/.test(character)) return character;
      return character === '%' ? '%%' : `\\${byte.toString(8).padStart(3, '0')}`;
    })
    .join('');
}
