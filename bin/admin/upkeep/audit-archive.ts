import type { Command } from 'commander';
import { hasCode } from '../../../core/errors.ts';
import { headText } from '../../../core/rules/audit-chain.ts';
import { type AuditArchiveRow, isRemovalLeft, listArchives } from '../../../db/audit/audit-archives.ts';
import { archiveAudit, NotArchived } from '../../../jobs/upkeep/audit-archive.ts';
import { UnreadableExport } from '../../../jobs/upkeep/audit-file.ts';
import { type ConfirmOptions, confirmed, confirmOption } from '../cli/confirm.ts';
import { OperatorError } from '../cli/faults.ts';
import { operator } from '../cli/operator.ts';
import { filled, list, record, shortMoment } from '../cli/output.ts';
import { withProgress } from '../cli/progress.ts';
import { reason, typedPath } from '../cli/read-file.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { parseMoment, parseText } from '../cli/values.ts';
import { withReads } from '../cli/with-reads.ts';
import { writePrivateFile } from '../cli/write-file.ts';

export function addArchiveCommands(audit: Command): void {
  audit
    .command('archive')
    .description('move old entries from the log into a sealed file; audit verify continues from there')
    .requiredOption(
      '--before <moment>',
      'entries from before; on Postgres, whole months that ended by then',
      parseMoment,
    )
    .requiredOption('--to <file>', 'the file; one that already holds these entries is used as is', parseText)
    .addOption(confirmOption())
    .addHelpText('after', '\nIt can be interrupted at any time and repeated with the same file.')
    .addHelpText('after', example('audit archive --before 2027-01-01 --to ./audit-2026.sealed'))
    .action(archive);
  audit
    .command('archives')
    .description('list the archives: which positions are in which file')
    .addHelpText('after', example('audit archives'))
    .action(listThem);
}

type Options = ConfirmOptions & { before: Date; to: string };

const archive = withRuntime(async (runtime, { before, to, ...options }: Options) => {
  const file = typedPath(to);
  const day = before.toISOString();
  await confirmed(options, `Entries of the audit log from before ${day} will be in ${file} alone.`);
  const write = (content: AsyncIterable<Buffer>) => writePrivateFile(file, content, false);
  const archived = await withProgress('Archiving', undefined, (tick) =>
    archiveAudit(runtime, { file, before, by: operator(), write, tick }),
  ).catch(explained(file));
  if (!archived) return outputOf(NOTHING_TO_ARCHIVE, { is_removed: true });
  const { from, head, sha256, key, isRemoved: is_removed } = archived;
  const span = { first_position: from.position + 1, last_position: head.position };
  const fields = { file, ...span, head: headText(head), sha256, key, is_removed };
  return is_removed ? outputOf(DONE, fields, KEEP) : { ...outputOf(DONE, fields, HELD), exitCode: 1 };
});

const NOTHING_TO_ARCHIVE = 'The audit log has no entries from before; no file was written.';
const DONE = 'The entries were archived.';
const KEEP = 'Keep the file, a copy of it elsewhere, and its encryption key: there is no other copy of the entries.';
const HELD =
  'The entries are also still in the log, because another transaction reads it: repeat the command, which removes them first.';

interface Fields {
  file: string | null;
  first_position: number | null;
  last_position: number | null;
  head: string | null;
  sha256: string | null;
  key: string | null;
  is_removed: boolean;
}

const NONE = { file: null, first_position: null, last_position: null, head: null, sha256: null, key: null };

function outputOf(sentence: string, found: Partial<Fields> & Pick<Fields, 'is_removed'>, next?: string) {
  const fields: Fields = { ...NONE, ...found };
  return { ...record(sentence, filled({ ...fields }), next), json: fields };
}

function explained(file: string) {
  return (error: unknown): never => {
    if (error instanceof NotArchived) throw new OperatorError(error.message);
    if (error instanceof UnreadableExport)
      throw new OperatorError(`${file} ${error.message}; nothing was removed: name another file`);
    if (UNUSABLE.some((code) => hasCode(error, code))) throw new OperatorError(`cannot read ${file}: ${reason(error)}`);
    throw error;
  };
}

const UNUSABLE = ['EACCES', 'EISDIR', 'EPERM', 'EIO'];

const listThem = withReads(async ({ reads, now }) => {
  const rows = (await listArchives(reads)).map(view).reverse();
  const isLeft = await isRemovalLeft(reads);
  return list(rows, {
    columns: ['created_at', 'first_position', 'last_position', 'key', 'sha256'],
    empty: 'Nothing was archived.',
    forPeople: (row) => ({ ...row, created_at: shortMoment(row.created_at, now()) }),
    note: isLeft ? LEFT : undefined,
  });
});

const LEFT = 'Archived entries are still in the log, too: the next audit archive removes them first.';

function view({ first_position, last_position, last_hash, file_sha256, key_fingerprint, created_at }: AuditArchiveRow) {
  const head = headText({ position: last_position, hash: last_hash });
  return { created_at, first_position, last_position, head, sha256: file_sha256, key: key_fingerprint };
}
