import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { type Observation, ok, problem, unknown, warning } from '../../core/conditions/observation.ts';
import type { Config } from '../../core/settings/config.ts';
import { DAY_MS } from '../../core/time.ts';
import type { Database } from '../../db/connection/database.ts';
import { serverCertificate } from '../../db/connection/postgres/certificate.ts';
import { findSigningKey } from '../../db/reports/signing-keys.ts';
import { ANSWER_MS, type Observers } from './look.ts';
import { tlsOf } from './tls.ts';

const MAX_WARNED_DAYS = 21;
const MAX_LATE_DAYS = 7;

interface Certified {
  /** Whose it is, as the subject of a sentence. */
  name: string;
  /** Undefined when it could not be read. */
  until: Date | undefined;
}

/**
 * The certificates on which callers, readers of reports and the service itself rely.
 * @param answering resolves to undefined when the database does not answer
 */
export function ofCertificates(
  url: () => Promise<string>,
  { reports, database }: Pick<Config, 'reports' | 'database'>,
  answering: Promise<Database | undefined>,
): Pick<Observers, 'certificates'> {
  return {
    certificates: async () => {
      const found = await Promise.all([ofPublicUrl(await url()), ofReports(reports, answering), ofServer(database)]);
      return judge(found.flat());
    },
  };
}

/** Whether they are trusted is for others to judge: `address`, the readers, and the driver of the database do. */
function judge(certified: readonly Certified[]): Observation {
  const [first] = certified
    .flatMap(({ name, until }) => (until ? [{ name, days: Math.floor((until.getTime() - Date.now()) / DAY_MS) }] : []))
    .toSorted((a, b) => a.days - b.days);
  const found = first && `${first.name} ${first.days < 0 ? 'has expired' : `is valid for ${first.days} days`}.`;
  if (first && found && first.days < MAX_LATE_DAYS) return problem(found);
  const unread = certified.find(({ until }) => until === undefined);
  if (unread) return unknown(`${unread.name} could not be read.`);
  if (!first || !found) return ok('PUBLIC_URL, reports and the database need no certificate.');
  return first.days < MAX_WARNED_DAYS ? warning(found) : ok(found);
}

async function ofPublicUrl(url: string): Promise<Certified[]> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:') return [];
  const until = await presentedUntil(hostname.replace(/^\[|\]$/g, ''), Number(port || 443)).catch(() => undefined);
  return [{ name: `The certificate of ${hostname}`, until }];
}

/** Those of REPORT_SIGNING_FILE, or the service's own once it has sealed a report. */
async function ofReports({ signingKey }: Config['reports'], answering: Promise<Database | undefined>) {
  const name = 'A certificate that seals reports';
  if (signingKey) return signingKey.certificates.map(({ validToDate }) => ({ name, until: validToDate }));
  const db = await answering;
  const kept = db && (await findSigningKey(db));
  return kept ? [{ name, until: new X509Certificate(kept.certificate).validToDate }] : [];
}

async function ofServer(database: Config['database']): Promise<Certified[]> {
  if (database.dialect === 'sqlite' || tlsOf(database.url) === 'none') return [];
  const certificate = await serverCertificate(database.url, database.limits).catch(() => undefined);
  return [{ name: 'The certificate of Postgres', until: certificate?.validToDate }];
}

function presentedUntil(host: string, port: number): Promise<Date> {
  return new Promise((resolve, reject) => {
    const servername = isIP(host) === 0 ? host : '';
    const options = { host, port, servername, rejectUnauthorized: false, timeout: ANSWER_MS - 500 };
    const socket = connect(options, () => {
      resolve(new Date(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error('no answer')));
  });
}
