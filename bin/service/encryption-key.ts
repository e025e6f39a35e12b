import { on, ProviderUnavailable } from '../../core/errors.ts';
import { type KeyRing, keysOf } from '../../core/secrets/key-ring.ts';
import { textOpenedBy } from '../../core/secrets/secrets.ts';
import { ConfigError } from '../../core/settings/config-error.ts';
import type { Database } from '../../db/connection/database.ts';
import { areNotedKeysIn, noteKey } from '../../db/connection/encryption-keys.ts';
import { listSmallestDigests } from '../../db/documents/documents.ts';
import { findAnySealedSecret } from '../../db/webhooks/webhook-secrets.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { type DocumentStore, MissingDocument, UnreadableDocument } from '../../providers/documents/port.ts';
import type { Providers } from '../../providers/providers.ts';
import { watchStore } from './watched-store.ts';

const DOCUMENTS_TRIED = 5;
const NOTE_AGAIN_MS = 5_000;
/** For the document store, at a start. */
const MAX_WAIT_MS = 3_000;

/**
 * Checks that this process has every key of the database, and records its current one. A process that lacks a key would fail every delivery
 * signed with a secret that this key sealed, and replace documents with bytes that other processes cannot
 * read. The first process on a database determines the key. A process with a new key records it before it seals
 * anything, so that none starts without it from then on.
 * @throws ConfigError, ProviderUnavailable
 */
export async function checkEncryptionKey(
  db: Database,
  documents: Providers['documents'],
  ring: KeyRing,
  now: Date,
): Promise<void> {
  if ((await areNotedKeysIn(db, ring)) === undefined)
    await noteKey(db, await keyOfStoredData(db, documents, ring), now);
  // Read again: only one of two concurrent first processes wins.
  if (!(await areNotedKeysIn(db, ring))) throw wrongKey();
  await noteKey(db, ring.current, now);
}

type Keeping = Pick<Runtime, 'db' | 'keys' | 'now' | 'log'> & { documents: Providers['documents'] };

/**
 * Checks the key, and keeps recording the key that this process seals with, so that a concurrent reseal does not take it for unused.
 * A start waits a moment only for the document store, which knows more than the database where an earlier version recorded no key: most of
 * the service needs no documents. The check continues meanwhile, and a wrong key that it finds ends the process.
 * @param everyMs the interval
 * @returns a function that stops it
 * @throws ConfigError
 */
export async function keepKey(
  { db, keys, now, log, documents }: Keeping,
  everyMs = NOTE_AGAIN_MS,
): Promise<() => Promise<void>> {
  let isChecked = false;
  const check = async (store: Providers['documents']) => {
    await checkEncryptionKey(db, store, keys.encryption, now());
    isChecked = true;
  };
  const watched = watchStore(documents, MAX_WAIT_MS);
  const first = check(watched.documents).catch(on(ProviderUnavailable, () => {}));
  await Promise.race([first, watched.silent]);
  if (!isChecked)
    log.warn('the document store does not answer: ENCRYPTION_KEY is compared with its documents once it does');
  let turn: Promise<void> | undefined = first.catch(endProcess).finally(() => {
    turn = undefined;
  });
  const next = () => {
    turn ??= (isChecked ? noteKey(db, keys.encryption.current, now()) : check(documents))
      .catch((error) => {
        if (error instanceof ConfigError) endProcess(error);
        else log.warn({ err: error }, 'encryption key not recorded');
      })
      .finally(() => {
        turn = undefined;
      });
  };
  const timer = setInterval(next, everyMs).unref();
  return async () => {
    clearInterval(timer);
    if (isChecked) await turn;
  };
}

/** As an uncaught error, which drains the process. */
function endProcess(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}

/** Databases of earlier versions have sealed data but no recorded key. */
async function keyOfStoredData(db: Database, documents: DocumentStore, ring: KeyRing): Promise<Uint8Array> {
  const secret = await findAnySealedSecret(db);
  const bySecret = secret === undefined ? 0 : textOpenedBy(secret, ring);
  const byDocuments = await keyThatOpensDocuments(db, documents);
  if (bySecret === undefined || byDocuments === undefined) throw wrongKey();
  return keysOf(ring)[Math.max(bySecret, byDocuments)] ?? ring.current;
}

/**
 * The index of the key that opens the documents (a single document may be corrupt); 0 when there are none, undefined when no key opens
 * them.
 */
async function keyThatOpensDocuments(db: Database, documents: DocumentStore): Promise<number | undefined> {
  let hasBytes = false;
  for (const sha256 of await listSmallestDigests(db, DOCUMENTS_TRIED))
    try {
      return await documents.openedBy(sha256);
    } catch (error) {
      if (!(error instanceof UnreadableDocument)) throw error;
      hasBytes ||= !(error instanceof MissingDocument);
    }
  return hasBytes ? undefined : 0;
}

function wrongKey(): ConfigError {
  return new ConfigError([
    'ENCRYPTION_KEY is not the one that this database was sealed with, or a key is missing in FORMER_ENCRYPTION_KEYS.',
  ]);
}
