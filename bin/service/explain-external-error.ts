import { codeOf } from '../../core/errors.ts';
import { oneLine } from '../../core/text.ts';

const UNKNOWN_CA =
  'the certificate of the database is of an unknown CA; name the file of its CA in DATABASE_URL: sslrootcert=<file>';

const NO_PASSWORD =
  'DATABASE_URL has no password; write postgres://<user>:<password>@<host>/<database>, percent-encoded, or set PGPASSWORD';
const TLS_DEMANDED =
  'the database demands TLS; add sslmode=verify-full to DATABASE_URL, and sslrootcert=<file> for a CA of its own';
const NOT_POSTGRES =
  'the server of DATABASE_URL closed the connection; is it Postgres, is the port right, and does it expect TLS (sslmode=verify-full)?';
const IN_TIME = 'the database of DATABASE_URL does not answer in time; is it running?';

const known: Record<string, string> = {
  EADDRINUSE: 'the port is in use; choose another with PORT',
  EADDRNOTAVAIL: 'the address of HOST is not one of this machine',
  ENOTDIR: 'DATA_DIR lies below a file',
  EISDIR: 'a file cannot be opened, because it is a folder; check DATABASE_URL and DATA_DIR',
  EACCES: 'a file or folder may not be used; check the rights of DATA_DIR',
  ECONNREFUSED: 'the database of DATABASE_URL does not answer; is it running?',
  ENOENT: 'a file or folder is missing; check DATA_DIR, and sslrootcert, sslcert and sslkey of DATABASE_URL',
  ENOTFOUND: 'a host is unknown; check the spelling of HOST and DATABASE_URL',
  EAI_AGAIN: 'no name server answers for a host; check the network, HOST and DATABASE_URL',
  EHOSTUNREACH: 'the host of DATABASE_URL cannot be reached; check the network and its firewall',
  ENETUNREACH: 'the network of the host of DATABASE_URL cannot be reached; check the network, and IPv6',
  ECONNRESET: NOT_POSTGRES,
  ETIMEDOUT: IN_TIME,
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
  '25006': 'DATABASE_URL leads to a standby, which is read-only; name the primary',
  '28000': 'Postgres refuses the user of DATABASE_URL',
  '28P01': 'Postgres refuses the user or password of DATABASE_URL',
  '3D000': 'the database of DATABASE_URL does not exist; create it first',
  '42501': 'the user of DATABASE_URL lacks a right',
  '53300': 'Postgres has no connection left; raise max_connections or a CONNECTION LIMIT, or lower DATABASE_POOL_SIZE',
  '57P03': 'Postgres is starting or stopping; try again',
  SQLITE_BUSY: 'the SQLite file was in use for too long; try again',
  SQLITE_CANTOPEN: 'the SQLite file cannot be opened; check DATABASE_URL and DATA_DIR',
  SQLITE_NOTADB: 'the file of DATABASE_URL is not an SQLite database',
};

/** Where the code is missing or says less than the message of Postgres, of its driver, or of a hosted Postgres. */
const byMessage: [pattern: RegExp, explanation: string][] = [
  // The pool, when its own limit passes before that of the connection.
  [/operation timed out for an unknown reason/, IN_TIME],
  [/client password must be a (?:non-empty )?string|empty password returned by client/, NO_PASSWORD],
  [/no PostgreSQL user name/, 'DATABASE_URL names no user; write postgres://<user>:<password>@<host>/<database>'],
  [/no pg_hba.conf entry .*(?:no encryption|SSL off)/, TLS_DEMANDED],
  [/SSL connection is required|connection is insecure|SSL required|server requires (?:SSL|encryption)/i, TLS_DEMANDED],
  [/no pg_hba.conf entry/, 'pg_hba.conf of the database does not admit this machine with this user; add a line there'],
  [/not permitted to log in/, 'the user of DATABASE_URL may not log in; ALTER ROLE <user> LOGIN, or use another user'],
  [/client certificate/, 'the database demands a client certificate; add sslcert=<file>&sslkey=<file> to DATABASE_URL'],
  [
    /[.]s[.]PGSQL[.]/,
    'no Postgres answers at the socket in the folder that DATABASE_URL names; is the folder mounted, may this account use it, and does the server or its proxy run?',
  ],
  [/Connection terminated unexpectedly|There was an error establishing an SSL connection/, NOT_POSTGRES],
  [
    /permission denied for (?:schema|database)/,
    'the user of DATABASE_URL may not create tables; make it the owner of the database, or GRANT CREATE ON SCHEMA public',
  ],
  [
    /The server does not support SSL connections/,
    'the database does not offer TLS; switch it on there, or leave sslmode out of DATABASE_URL where no one can listen',
  ],
];

/**
 * The message for a fault of the database, the network or the disk, by its error code; undefined for an unexpected
 * error. Node's own ERR_ codes are bugs.
 */
export function explainExternalError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'KnexTimeoutError') return known['ETIMEDOUT'];
  const code = codeOf(error);
  const fallback = /^E(?!RR_)[A-Z0-9]+$/.test(code)
    ? 'the system refuses'
    : code.startsWith('SQLITE_')
      ? 'SQLite refuses'
      : /^[0-9A-Z]{5}$/.test(code)
        ? 'Postgres refuses'
        : undefined;
  const [, explained] = byMessage.find(([pattern]) => pattern.test(error.message)) ?? [];
  const explanation = explained ?? known[code] ?? fallback;
  return explanation && error.message ? `${explanation} (${oneLine(withoutStatement(error.message))})` : explanation;
}

/** Knex puts the statement before the message of Postgres. */
function withoutStatement(message: string): string {
  return message.replace(/^(?:select|insert|update|delete|create|alter|drop|set|lock)\b.* - (?=\S)/is, '');
}
