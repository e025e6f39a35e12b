import { decodedUri } from '../text.ts';

export const POSTGRES_FORM = 'postgres://<user>:<password>@<host>:<port>/<database>';
const SOCKET_FORM = 'postgres://<user>:<password>@localhost/<database>?host=<folder of the socket>';

/** The driver reads each of these three as `verify-full`, and prints a warning. */
const SAME_AS_VERIFY_FULL = ['prefer', 'require', 'verify-ca'];
const SSL_MODES = ['disable', 'no-verify', 'verify-full', ...SAME_AS_VERIFY_FULL];

/** Forms that other programs use, and what to write instead. Each fault follows the setting's name; none shows the address, which may hold a password. */
const OTHER_FORMS: [pattern: RegExp, fault: string][] = [
  [/^["'`].*["'`]$/s, 'is in quotation marks; leave them out'],
  [/^\s|\s$/, 'begins or ends with a space or a line break; leave it out'],
  [/^jdbc:/i, `is an address for Java; write ${POSTGRES_FORM}`],
  [/^postgres(?:ql)?\+\w+:/i, `names a driver of another language; write ${POSTGRES_FORM}`],
  [/^(?:socket:|\/)/, `names a socket; write ${SOCKET_FORM}`],
  [/^\w+\s*=/, `is a list of keywords; write ${POSTGRES_FORM}`],
  [
    /^(?:mysql|mariadb|mssql|sqlserver|mongodb|oracle|redis)\b/i,
    `must be ${POSTGRES_FORM}, not the address of another kind of database`,
  ],
  [/^[^/?#]*\/\/[^/?#]*,/, 'names several hosts; name the primary, or the pooler or proxy in front of them'],
];

/** Characters that end the part of an address where the password is. */
const RAW_IN_PASSWORD = /^[^/?#]*\/\/[^@/?#]*[/?#][^@]*@/;

const LONE_PERCENT = /%(?![0-9a-f]{2})/gi;

/** A Postgres URL as the driver reads it, or its fault: the end of a sentence that begins with the setting's name. */
export function readPostgresUrl(text: string): { url: string } | { fault: string } {
  const [, other] = OTHER_FORMS.find(([pattern]) => pattern.test(text)) ?? [];
  if (other !== undefined) return { fault: other };
  if (!/^postgres(?:ql)?:\/\//.test(text)) return { fault: `must be ${POSTGRES_FORM}` };
  // Google's form for the socket of its proxy has no host; the driver takes the folder from the query.
  const address = text.replace(/^([^/]*\/\/[^/?#]*@)(?=[/?])/, '$1localhost');
  const url = URL.parse(address);
  if (!url || url.pathname.includes('@'))
    return {
      fault: RAW_IN_PASSWORD.test(text)
        ? 'has /, ? or # in its user or password; percent-encode them as %2F, %3F and %23'
        : `must be ${POSTGRES_FORM}; percent-encode special characters, and use a port from 1 to 65535`,
    };
  // The driver takes a percent sign alone as it is, and ends on one before two hexadecimal digits that encode nothing.
  if (
    [url.username, url.password, url.pathname].some(
      (part) => decodedUri(part.replaceAll(LONE_PERCENT, '%25')) === undefined,
    )
  )
    return { fault: 'has a percent sign that encodes no character; write it as %25' };
  return withMode(address, url.searchParams);
}

function withMode(address: string, parameters: URLSearchParams): { url: string } | { fault: string } {
  const mode = parameters.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode))
    return { fault: `has an unknown sslmode; use ${SSL_MODES.slice(0, -1).join(', ')} or ${SSL_MODES.at(-1)}` };
  const isSame = mode !== null && SAME_AS_VERIFY_FULL.includes(mode) && !parameters.has('uselibpqcompat');
  return { url: isSame ? address.replace(/(?<=[?&]sslmode=)[a-z-]+/, 'verify-full') : address };
}
