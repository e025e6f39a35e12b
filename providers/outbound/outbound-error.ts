/** The address is not allowed. The message may be shown. */
export class RefusedAddress extends Error {}

/** The name did not resolve. The message may be shown. */
export class UnresolvedName extends Error {}

/** `ours` is a local failure: the service was stopping, or out of sockets. */
export type OutboundFault = 'refused-address' | 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'protocol' | 'ours';

/** Why there was no response, in a message for integrators. */
export class OutboundError extends Error {
  readonly kind: OutboundFault;
  constructor(kind: OutboundFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

const CLOSED = 'the connection was closed before an answer';

/** Explains the codes of Node, OpenSSL and undici; the first match wins. CODE stands for the code itself. */
const EXPLANATIONS: [RegExp, OutboundFault, string][] = [
  [/^ECONNREFUSED$/, 'connect', 'connection refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'reset', CLOSED],
  [/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, 'tls', 'the TLS certificate is for another host'],
  [/^CERT_HAS_EXPIRED$/, 'tls', 'the TLS certificate has expired'],
  [/^CERT_NOT_YET_VALID$/, 'tls', 'the TLS certificate is not valid yet'],
  [/^(ERR_SSL_|ERR_TLS_|EPROTO$)/, 'tls', 'no TLS connection came about (CODE)'],
  [/CERT|CRL|ISSUER|^UNABLE_TO_|^INVALID_CA$|^INVALID_PURPOSE$/, 'tls', 'the TLS certificate is not trusted (CODE)'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'protocol', 'the headers of the answer are too large'],
  [/^(HTTPParserError|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, 'protocol', 'the answer is not valid HTTP'],
  [/^UND_ERR_(DESTROYED|CLOSED)$/, 'ours', 'the service was stopping'],
  [/^UND_ERR_INVALID_ARG$/, 'ours', 'the request could not be made (CODE)'],
  [/^(EMFILE|ENFILE|ENOBUFS|ENOMEM)$/, 'ours', 'the service had no connection to spare (CODE)'],
];

const UNKNOWN: (typeof EXPLANATIONS)[number] = [/^/, 'connect', 'no connection (CODE)'];

/** undici's messages for invalid responses, which it reports as connection errors. */
const INVALID_RESPONSES = new Set(['bad response', 'bad upgrade']);

export function outboundError(error: Error, connectTimeoutMs: number): OutboundError {
  if (error instanceof RefusedAddress) return new OutboundError('refused-address', error.message);
  if (error instanceof UnresolvedName) return new OutboundError('dns', error.message);
  if (INVALID_RESPONSES.has(error.message)) return new OutboundError('protocol', 'the answer is not one to a POST');
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return noConnection(connectTimeoutMs);
  const [, kind, words] = EXPLANATIONS.find(([pattern]) => pattern.test(code)) ?? UNKNOWN;
  return new OutboundError(kind, words.replace('CODE', code), { cause: error });
}

export function noConnection(afterMs: number): OutboundError {
  return new OutboundError('timeout', `no connection within ${afterMs / 1000} s`);
}

export function noAnswer(afterMs: number): OutboundError {
  return new OutboundError('timeout', `no answer within ${afterMs / 1000} s`);
}
