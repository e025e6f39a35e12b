import { isIP } from 'node:net';
import { type Observation, ok, warning } from '../../core/conditions/observation.ts';
import type { Config } from '../../core/settings/config.ts';

const TLS_MODES: Record<string, 'none' | 'unverified'> = { disable: 'none', 'no-verify': 'unverified' };

/** Mirrors how the driver reads the URL: every `sslmode` but these two means TLS with a verified certificate. */
export function tlsOf(url: string, env = process.env): 'verified' | 'unverified' | 'none' {
  const { searchParams } = new URL(url);
  const mode = searchParams.get('sslmode');
  if (mode !== null) return TLS_MODES[mode] ?? 'verified';
  const ssl = searchParams.get('ssl');
  if (ssl === '0' || ssl === 'false') return 'none';
  if (ssl !== null) return 'verified';
  const fromEnv = env['PGSSLMODE'];
  return fromEnv === undefined ? 'none' : (TLS_MODES[fromEnv] ?? 'verified');
}

export function tls({ database, mode }: Pick<Config, 'database' | 'mode'>): Observation {
  if (database.dialect === 'sqlite') return ok('SQLite is a file on this machine.');
  const { url, sessionUrl, replicaUrl } = database;
  const addresses = { DATABASE_URL: url, DATABASE_SESSION_URL: sessionUrl, DATABASE_REPLICA_URL: replicaUrl };
  const found = Object.entries(addresses).flatMap(([setting, address]) =>
    address ? [tlsAt(setting, address, mode)] : [],
  );
  return found.find(({ state }) => state !== 'ok') ?? found[0] ?? ok('');
}

function tlsAt(setting: string, url: string, mode: Config['mode']): Observation {
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname.replace(/^\[|\]$/g, '');
  const isLocal =
    host === '' || host === 'localhost' || host.startsWith('/') || (isIP(host) > 0 && /^(127\.|::1$)/.test(host));
  const state = tlsOf(url);
  if (isLocal) return ok('The database is on this machine.');
  if (state === 'verified') return ok('The connection to the database is encrypted, and its certificate verified.');
  const found =
    state === 'none'
      ? `The connection to ${host} is not encrypted.`
      : `The certificate of ${host} is not verified, so that another could take its place.`;
  const advice = `Add ?sslmode=verify-full to ${setting}, and &sslrootcert=<file> for a CA of your own.`;
  return mode === 'live' ? warning(found, advice) : ok(found);
}
