import { codeOf } from '../../core/errors.ts';

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

/** Explains the codes of Node and OpenSSL; the first match wins. CODE stands for the code itself. */
const EXPLANATIONS: [RegExp, OutboundFault, string][] = [
  [/^ECONNREFUSED$/, 'connect', 'connection refused'],
  [/^(ECONNRESET|EPIPE)$/, 'reset', CLOSED],
  [/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, 'tls', 'the TLS certificate is for another host'],
  [/^CERT_HAS_EXPIRED$/, 'tls', 'the TLS certificate has expired'],
  [/^CERT_NOT_YET_VALID$/, 'tls', 'the TLS certificate is not valid yet'],
  [/^(ERR_SSL_|ERR_TLS_|EPROTO$)/, 'tls', 'no TLS connection came about (CODE)'],
  [
    /^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/,
    'tls',
    'the TLS certificate is not trusted: the server sends no intermediate certificate, or its CA is unknown (CODE)',
  ],
  [/CERT|CRL|ISSUER|^UNABLE_TO_|^INVALID_CA$|^INVALID_PURPOSE$/, 'tls', 'the TLS certificate is not trusted (CODE)'],
  [/^HPE_HEADER_OVERFLOW$/, 'protocol', 'the headers of the answer are too large'],
  [/^HPE_/, 'protocol', 'the answer is not valid HTTP'],
  [/^ETIMEDOUT$/, 'timeout', 'no connection: the network timed out (CODE)'],
  [/^ERR_(INVALID|HTTP)_/, 'ours', 'the request could not be made (CODE)'],
  [/^(EMFILE|ENFILE|ENOBUFS|ENOMEM)$/, 'ours', 'the service had no connection to spare (CODE)'],
];

const UNKNOWN: (typeof EXPLANATIONS)[number] = [/^/, 'connect', 'no connection (CODE)'];

/** @param error of name resolution, a socket, or Node's HTTP client */
export function outboundError(error: Error): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error instanceof RefusedAddress) return new OutboundError('refused-address', error.message);
  if (error instanceof UnresolvedName) return new OutboundError('dns', error.message);
  const code = codeOf(error) || error.name;
  const [, kind, words] = EXPLANATIONS.find(([pattern]) => pattern.test(code)) ?? UNKNOWN;
  return new OutboundError(kind, words.replace('CODE', code), { cause: error });
}

export function noConnection(afterMs: number): OutboundError {
  return new OutboundError('timeout', `no connection within ${afterMs / 1000} s`);
}

export function noAnswer(afterMs: number): OutboundError {
  return new OutboundError('timeout', `no answer within ${afterMs / 1000} s`);
}
