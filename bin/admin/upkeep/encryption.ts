import type { Command } from 'commander';
import { fingerprint, keysOf } from '../../../core/secrets/key-ring.ts';
import { listArchives } from '../../../db/audit/audit-archives.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { type Counts, countByKey, resealAll } from '../../../jobs/upkeep/reseal.ts';
import { countSealedThings, SEALED_KINDS } from '../../../jobs/upkeep/sealed-things.ts';
import { auditOperator } from '../cli/operator.ts';
import { list } from '../cli/output.ts';
import { withProgress } from '../cli/progress.ts';
import { example, withRuntime } from '../cli/run-command.ts';

export function addEncryptionCommands(encryption: Command): void {
  encryption
    .command('status')
    .description('show how many sealed things each key opens; every document is read once')
    .addHelpText('after', example('encryption status'))
    .action(status);
  encryption
    .command('reseal')
    .description(
      're-encrypt with ENCRYPTION_KEY everything sealed with a key of FORMER_ENCRYPTION_KEYS; it can be interrupted and repeated',
    )
    .addHelpText('after', example('encryption reseal'))
    .action(reseal);
}

const status = withRuntime(async (runtime) => {
  const { opened, unreadable } = await withProgress('Reading', await countSealedThings(runtime), (tick) =>
    countByKey(runtime, tick),
  );
  const rows = keysOf(runtime.keys.encryption).map((key, place) => ({
    key: place === 0 ? 'current' : `former ${place}`,
    fingerprint: fingerprint(key),
    ...(opened[place] ?? unreadable),
  }));
  return list([...rows, { key: 'none', fingerprint: null, ...unreadable }], {
    columns: ['key', 'fingerprint', ...SEALED_KINDS],
    empty: '',
    note: noteOnUnreadable(unreadable),
  });
});

const reseal = withRuntime(async (runtime) => {
  const { db, keys, now } = runtime;
  const hasFormerKeys = keysOf(keys.encryption).length > 1;
  // Recorded first, because resealing may be interrupted.
  if (hasFormerKeys)
    await inTransaction(db, (trx) =>
      auditOperator(trx, 'encryption.reseal', fingerprint(keys.encryption.current), now()),
    );
  const { resealed, left, unreadable, isClean } = await withProgress(
    'Resealing',
    await countSealedThings(runtime),
    (tick) => resealAll(runtime, tick),
  );
  const rows = SEALED_KINDS.map((kind) => ({
    sealed: kind,
    resealed: resealed[kind],
    left: left[kind],
    unreadable: unreadable[kind],
  }));
  const current = fingerprint(keys.encryption.current);
  const ofArchives = (await listArchives(db)).map(({ key_fingerprint }) => key_fingerprint);
  const notes = [
    isClean ? noteOnFormerKeys(hasFormerKeys) : STILL_SEALING,
    noteOnArchives(ofArchives.filter((key) => key !== current)),
    noteOnUnreadable(unreadable),
  ];
  const output = list(rows, {
    columns: ['sealed', 'resealed', 'left', 'unreadable'],
    empty: '',
    note: notes.filter(Boolean).join('\n'),
  });
  return isClean ? output : { ...output, exitCode: 1 };
});

const STILL_SEALING =
  'A process still seals with a former key. Restart every process with the new one, and run this again.';

function noteOnFormerKeys(areThere: boolean): string {
  return areThere
    ? 'Nothing needs a former key any more but the links of verifications that it made: they open as long as it is there.'
    : 'Nothing needs a former key, and none is there.';
}

function noteOnArchives(fingerprints: readonly string[]): string | undefined {
  const keys = [...new Set(fingerprints)].join(', ');
  return keys && `Files that audit archive wrote still need the keys with these fingerprints: ${keys}.`;
}

function noteOnUnreadable(unreadable: Counts): string | undefined {
  return SEALED_KINDS.some((kind) => unreadable[kind] > 0)
    ? 'What no key opens was changed or is gone, or its key is missing in FORMER_ENCRYPTION_KEYS.'
    : undefined;
}
