import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Observation, ok, problem, unknown, warning } from '../../core/conditions/observation.ts';
import { codeInBrackets } from '../../core/errors.ts';
import type { Config } from '../../core/settings/config.ts';
import { sentence } from '../../core/text.ts';
import { DAY_MS, HOUR_MS, isoAfter } from '../../core/time.ts';
import { findWaitingMails } from '../../db/applications/invites.ts';
import type { Database } from '../../db/connection/database.ts';
import { readOutcomes } from '../../db/work/recent-outcomes.ts';
import type { DocumentStore, VirusScanner } from '../../providers/documents/port.ts';
import { PUT_OFF } from '../../providers/mail/port.ts';
import { fetchWhole } from '../../providers/outbound/bounded-fetch.ts';
import type { Providers } from '../../providers/providers.ts';
import type { Observers } from './look.ts';
import { isFailing } from './of-outcomes.ts';

type OfProviders = Pick<Observers, 'documents' | 'scanner' | 'mail' | 'kyc' | 'eid' | 'bank'>;

/**
 * The parties that the service depends on.
 * @param database resolves to undefined when the database does not answer
 */
export function ofProviders(
  {
    documents,
    scanner,
    mail,
    kyc,
    eid,
    bank,
  }: Pick<Providers, 'documents' | 'scanner' | 'mail' | 'kyc' | 'eid' | 'bank'>,
  config: Pick<Config, 'documents' | 'mail'>,
  database: Promise<Database | undefined>,
  now: Date,
): OfProviders {
  const store = config.documents.store.kind === 'folder' ? 'The folder' : 'The bucket';
  const asked = async (ask: (() => Promise<void>) | undefined, does: string) => {
    if (!ask) return ok('It is simulated.');
    await ask();
    return ok(does);
  };
  return {
    documents: () => tryStore(documents, store),
    scanner: async () => (scanner ? signaturesOf(scanner, now) : ok('Documents are not scanned for viruses.')),
    mail: async () =>
      config.mail.provider === 'sandbox' ? ok('It is simulated.') : mailServer(() => mail.check(), database, now),
    kyc: () => asked(kyc.check, 'The provider takes our key.'),
    eid: () => asked(eid.check, 'The provider can be asked.'),
    bank: async () => (bank ? asked(bank.check, 'The provider takes our key.') : ok('No bank is asked.')),
  };
}

/** Stores random bytes, reads them back and removes them. */
async function tryStore(documents: DocumentStore, name: string): Promise<Observation> {
  const bytes = randomBytes(64);
  const { sha256, discard } = await documents.put(Readable.from([bytes]));
  try {
    const read = await buffer(documents.get(sha256));
    if (!read.equals(bytes)) return problem(`${name} returns other bytes than were stored.`, 'Replace it.');
  } finally {
    await discard();
  }
  return ok(`${name} of documents stores, returns and removes bytes.`);
}

const [MAX_SIGNATURE_DAYS, MAX_FRESH_DAYS] = [7, 2];

/** New ones are published every day. */
async function signaturesOf(scanner: VirusScanner, now: Date): Promise<Observation> {
  const from = await scanner.signaturesFrom();
  if (!from) return problem('The virus scanner answers, but has no signatures.');
  const days = Math.max(0, Math.floor((now.getTime() - from.getTime()) / DAY_MS));
  const found = `The virus scanner answers. Its signatures are ${days} ${days === 1 ? 'day' : 'days'} old.`;
  if (days > MAX_SIGNATURE_DAYS) return problem(found);
  return days > MAX_FRESH_DAYS ? warning(found) : ok(found);
}

/** What it said to real mails counts; its greeting says only that it answers. */
async function mailServer(
  greet: () => Promise<void>,
  database: Promise<Database | undefined>,
  now: Date,
): Promise<Observation> {
  await greet();
  const db = await database;
  if (!db) return unknown('The mail server answers. What it said to mails is in the database, which does not answer.');
  const hourAgo = isoAfter(now, -HOUR_MS);
  const outcomes = (await readOutcomes(db, hourAgo))('mails', hourAgo);
  const { succeeded, failed } = outcomes;
  const all = succeeded + failed;
  if (all === 0) return ok('The mail server answers. No mail was sent in the last hour.');
  if (failed <= succeeded && !isFailing(outcomes))
    return ok(`The mail server took ${succeeded} of ${all} mails of the last hour.`);
  const { failure } = await findWaitingMails(db, { except: PUT_OFF }, 1);
  const reason = failure === null ? '' : ` ${sentence(`The latest: ${failure}`)}`;
  const took = succeeded === 0 ? 'none' : `only ${succeeded}`;
  const found = `The mail server answers, but took ${took} of ${all} mails of the last hour.${reason}`;
  return succeeded === 0 || isFailing(outcomes) ? problem(found) : warning(found);
}

/** Whether the service answers at its public address. */
export function ofAddress(url: () => Promise<string>): Pick<Observers, 'address'> {
  return { address: async () => address(await url()) };
}

/** Longer than for others: a machine at its limit answers late, and nothing else says that callers get through. */
const ADDRESS_MS = 10_000;

/** Codes of OpenSSL and Node for a certificate that is not of a known authority, not of this host, or not of today. */
const UNTRUSTED = /CERT|SIGN|ISSUER|ALTNAME/;

/** A refused connection is only a warning: the address may be unreachable only from this machine. */
async function address(url: string): Promise<Observation> {
  try {
    const answer = await fetchWhole(`${url}/openapi.json`, { signal: AbortSignal.timeout(ADDRESS_MS) });
    const isContract = answer.ok && (await answer.text()).includes('"openapi"');
    return isContract
      ? ok(`The service answers at ${url}.`)
      : warning(`Something other than the service answers at ${url} (${answer.status}).`);
  } catch (error) {
    if (isLate(error)) return problem(`The service does not answer at ${url} within ${ADDRESS_MS / 1000} s.`);
    const why = because(error);
    return UNTRUSTED.test(why)
      ? problem(`Browsers do not trust the certificate of ${url}${why}.`, 'Install one that a public authority issued.')
      : warning(`Nothing answers at ${url}${why}.`);
  }
}

export function isLate(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

export function because(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return codeInBrackets(cause);
}
