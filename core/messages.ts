/** Every message of the API to its callers, except the names of what was not found. Tests read these tables. */

/** An example or description of each format. */
const FORMATS: Record<string, string> = {
  email: 'an e-mail address, such as mara.lindt@mail.example',
  uri: 'an absolute address, such as https://letting.example/back',
  uuid: 'a UUID, such as 7a1e0c56-2b9d-4f6e-9d3c-8e5f4a3b2c1d',
  'date-time': 'a date and time, such as 2026-03-01T09:30:00Z',
  date: 'a date, such as 2026-03-01',
};

const TYPES: Record<string, string> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

/**
 * The messages for invalid fields, by JSON Schema keyword. Each receives the keyword's parameter: a limit, a format, the types or the
 * allowed values.
 */
export const FIELD_MESSAGES: Record<string, (detail: string) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a field of this request',
  columnOfFile: () => 'is not a field',
  type: (types) =>
    `must be ${types
      .split(',')
      .map((type) => TYPES[type] ?? type)
      .join(' or ')}`,
  format: (format) => `must be ${FORMATS[format] ?? `a valid ${format}`}`,
  enum: (values) => (values ? `must be one of ${values}` : 'must be one of the allowed values'),
  minLength: (limit) => (limit === '1' ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: (limit) => `must have at most ${limit} characters`,
  minItems: (limit) => (limit === '1' ? 'must not be empty' : `must have at least ${limit} items`),
  maxItems: (limit) => `must have at most ${limit} items`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  minProperties: (limit) => (limit === '1' ? 'must not be empty' : `must have at least ${limit} fields`),
  storableText: () => 'must not contain NUL or a lone surrogate',
};

/** The messages of rules that a schema cannot express, by field. */
export const RULE_MESSAGES = {
  repeatedEmail: (earlier: string) => `each e-mail may appear once; this one repeats ${earlier}.`,
  oneLead: (leads: number) =>
    `exactly one tenant must have is_lead true; ${leads === 0 ? 'none has' : `${leads} have`}.`,
  tooLong: (limit: number, length: number) => `must have at most ${limit} characters; it has ${length}.`,
  notHttp: () => 'must be an absolute http or https address.',
  notHttps: () => 'must use https.',
  credentials: () => 'must not carry credentials.',
  notPublic: (host: string) => `must be publicly reachable; ${host} is not.`,
  tooManyWebhooks: (limit: number) =>
    `cannot be registered: the API key has ${limit} webhooks already. Ask the operator to delete some.`,
} as const;

/** What is wrong with an address as it is written, with a form that works if there is one; each is the end of a sentence. */
export const WRITTEN_FAULTS = {
  enclosed: (marks: string) => `must be the address alone, without ${marks}`,
  unwanted: (character: string, place: string) => `must not contain ${character} ${place}`,
  writtenAs: (character: string, place: string, written: string) =>
    `must not contain ${character} ${place}; write it as ${written}`,
  instead: (character: string, other: string) => `must not contain ${character}; write ${other} instead`,
  percent: (place: string) =>
    `must not contain % ${place} without two hexadecimal digits behind it; write the character itself as %25`,
  noScheme: () => 'must begin with its scheme; write https:// before it',
  otherScheme: (scheme: string) => `must begin with https://, not ${scheme}:`,
  noColon: () => 'must have a colon after its scheme; write https://',
  noSlashes: () => 'must have two slashes after its scheme; write https://',
  noHost: () => 'must name a host after the two slashes',
  badHost: () => 'must have a valid host name or IP address after the two slashes',
  notAsciiHost: (ascii: string) => `must have its host in ASCII; write it as ${ascii}`,
  ipv6: (address: string) => `must have its IPv6 address in brackets; write it as [${address}]`,
  brackets: () => 'must have brackets around an IPv6 address only, without a zone',
  port: () => 'must have a port from 1 to 65535',
  mailto: () => 'must not begin with mailto:',
  severalEmails: () => 'must be one e-mail address, not a list',
  severalAts: () => 'must contain one @ only',
  noDomain: () => 'must have a domain with a dot after the @, such as mail.example',
  noLocalPart: () => 'must have a name before the @',
  notAsciiDomain: (ascii: string) => `must have its domain in ASCII; write it as ${ascii}`,
  notAsciiLocalPart: (character: string) => `must not contain ${character} before the @, where only ASCII is supported`,
  dots: (place: string) => `must not have a dot at the beginning or end, or two in a row, ${place}`,
  hyphens: () => 'must not have a hyphen at the beginning or end of a part of its domain',
} as const;

/** The messages for a request that is refused as a whole. */
export const REFUSALS = {
  notHttp: 'The request cannot be read as HTTP.',
  tooSlow: 'The request took too long to arrive.',
  noTunnel: 'This server is not a proxy: CONNECT is not allowed.',
  badHost: 'The request needs exactly one Host header, with a valid host.',
  dailyVerifications:
    'The API key has reached its daily limit of verifications (UTC). Continue tomorrow, or ask the operator for more.',
  malformedPath: 'The path holds a malformed escape sequence.',
  notJsonType: 'Send the body as JSON, with Content-Type: application/json.',
  noBody: 'body: is required.',
  notJson: 'The body is not well-formed JSON in UTF-8.',
  contentEncoding: 'The Content-Encoding must be gzip, deflate or br.',
  brokenBody: 'The body does not match its Content-Length or Content-Encoding.',
  noCredentials: 'Send client_id and client_secret as HTTP Basic credentials.',
  wrongCredentials: 'The client_id or client_secret is wrong, or the key was revoked.',
  noToken: 'Send an access token as Authorization: Bearer <ACCESS_TOKEN>.',
  wrongToken: 'The access token is invalid or has expired; get a new one.',
  unknownPath: 'Path not found. GET /openapi.yaml lists the operations.',
  leadStays: 'The lead cannot be removed; another participant must become the lead first.',
  overloaded: 'Too many requests of this caller are under way. Try again in a moment.',
  busy: 'The service is busy. Try again in a moment.',
  unexpected: 'Something went wrong on our side. Try again in a moment.',
} as const;

export const refusedMethod = (allow: string) => `This method is not allowed here; use ${allow}.`;

export const tooLargeHead = (limitBytes: number) =>
  `The request line and headers are larger than ${limitBytes / 1024} KiB; send fewer or smaller cookies and headers.`;

export const tooLargeBody = (limitBytes: number) => `The body is larger than ${limitBytes / 1024} KiB.`;

/** The message for a violated keyword, without its full stop. @param params the keyword's own parameters, as Ajv names them */
export function fieldMessage(keyword: string, params: Readonly<Record<string, unknown>> = {}): string {
  const { limit, format, type, allowedValues } = params;
  const values = Array.isArray(allowedValues) ? allowedValues.join(', ') : undefined;
  return FIELD_MESSAGES[keyword]?.(String(limit ?? format ?? values ?? type ?? '')) ?? 'is not valid';
}
