import { oneLine } from '../../core/text.ts';

const UNKNOWN_CA =
  'the certificate of the database is of an unknown CA; name the file of its CA in DATABASE_URL: sslrootcert=<file>';

const known: Record<string, string> = {
  EADDRINUSE: 'the port is in use; choose another with PORT',
  EADDRNOTAVAIL: 'the address of HOST is not one of this machine',
  ENOTDIR: 'DATA_DIR lies below a file',
  EISDIR: 'a file cannot be opened, because it is a folder; check DATABASE_URL and DATA_DIR',
  EACCES: 'a file or folder may not be used; check the rights of DATA_DIR',
  ECONNREFUSED: 'the database of DATABASE_URL does not answer; is it running?',
  ENOENT: 'a file or folder is missing; check DATA_DIR, and sslrootcert, sslcert and sslkey of DATABASE_URL',
  ENOTFOUND: 'a host is unknown; check the spelling of HOST and DATABASE_URL',
  ETIMEDOUT: 'the database of DATABASE_URL does not answer in time; is it running?',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_CA,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CA,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CA,
  CERT_SIGNATURE_FAILURE: UNKNOWN_CA,
  CERT_HAS_EXPIRED: 'the certificate of the database has expired; renew it',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the certificate of the database is for another host; use its host name in DATABASE_URL, or have a certificate made for this one',
  '08P01':
    'a pooler refuses the settings of our sessions; lead DATABASE_URL to PgBouncer 1.21 or newer in transaction mode and ' +
    'DATABASE_SESSION_URL to Postgres itself, see "PgBouncer" in docs/operating/run.md',
  '28P01': 'Postgres refuses the user or password of DATABASE_URL',
  '3D000': 'the database of DATABASE_URL does not exist; create it first',
  '42501': 'the user of DATABASE_URL lacks a right',
  SQLITE_BUSY: 'the SQLite file was in use for too long; try again',
  SQLITE_CANTOPEN: 'the SQLite file cannot be opened; check DATABASE_URL and DATA_DIR',
  SQLITE_NOTADB: 'the file of DATABASE_URL is not an SQLite database',
};

/**
 * The message for a fault of the database, the network or the disk, by its error code; undefined for an unexpected
 * error. Node's own ERR_ codes are bugs.
 */
export function explainExternalError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'KnexTimeoutError') return known['ETIMEDOUT'];
  const code = 'code' in error ? String(error.code) : '';
  const fallback = /^E(?!RR_)[A-Z0-9]+$/.test(code)
    ? 'the system refuses'
    : code.startsWith('SQLITE_')
      ? 'SQLite refuses'
      : /^[0-9A-Z]{5}$/.test(code)
        ? 'Postgres refuses'
        : undefined;
  const explanation = known[code] ?? explainUncodedError(error) ?? fallback;
  return explanation && error.message ? `${explanation} (${oneLine(error.message)})` : explanation;
}

/** pg gives this error no code. */
function explainUncodedError({ message }: Error): string | undefined {
  return message === 'The server does not support SSL connections'
    ? 'the database does not offer TLS; switch it on there, or leave sslmode out of DATABASE_URL where no one can listen'
    : undefined;
}
