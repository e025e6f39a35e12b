import { type Command, InvalidArgumentError } from 'commander';
import { type ChainFault, type ChainHead, exportLine, headText, readHead } from '../../../core/rules/audit-chain.ts';
import type { AuditEntryRow } from '../../../db/audit/audit.ts';
import { archivedHead, headOf, listArchives } from '../../../db/audit/audit-archives.ts';
import { placedEntries } from '../../../db/audit/audit-chain.ts';
import { type AuditQuery, listAuditEntries } from '../../../db/audit/audit-list.ts';
import type { Runtime } from '../../../jobs/runtime.ts';
import { sealedExport, UnreadableExport, type VerifiedExport, verifyExport } from '../../../jobs/upkeep/audit-file.ts';
import { auditHolds, chainWaiting, faultText, verdictText } from '../../../jobs/upkeep/audit-verification.ts';
import { ArchivedHead, chainAudit } from '../../../jobs/upkeep/chain-audit.ts';
import { verifyAudit } from '../../../jobs/upkeep/verify-audit.ts';
import { OperatorError } from '../cli/faults.ts';
import { filled, list, record, shortMoment } from '../cli/output.ts';
import { withProgress } from '../cli/progress.ts';
import { reason, typedPath } from '../cli/read-file.ts';
import { commandLine, example, type Output, withRuntime } from '../cli/run-command.ts';
import { limitOption, parseMoment, parseText } from '../cli/values.ts';
import { withReads } from '../cli/with-reads.ts';
import { writePrivateFile } from '../cli/write-file.ts';
import { addArchiveCommands } from './audit-archive.ts';
import { addKeepCommand } from './audit-keep.ts';

export function addAuditCommands(audit: Command): void {
  audit
    .command('list')
    .description('list who did what to which resource, newest first')
    .option('--resource <id>', 'what was done to one resource', parseText)
    .option('--actor <actor>', 'what one API key (its id), person or operator did', parseText)
    .option('--action <action>', 'one action, such as webhook.pause, or all on one kind, such as webhook', parseText)
    .option('--since <moment>', 'from this date or moment on', parseMoment)
    .addOption(limitOption())
    .addHelpText('after', example('audit list --action webhook --since 2027-01-31', 'audit list --resource <id>'))
    .action(listEntries);
  audit
    .command('verify')
    .description('verify the hash chain from its start, or from the last archive on, and show the first mismatch')
    .option('--head <position:hash>', 'a head recorded earlier: it must be in the chain', parseHead)
    .option('--file <file>', 'an export or archive, sealed or not: it must verify, and match the log', parseText)
    .addHelpText('after', '\nExits with 1 when the chain does not hold.')
    .addHelpText(
      'after',
      example('audit verify', 'audit verify --file ./audit.sealed', 'audit verify --head 1042:5d41c3…'),
    )
    .action(verify);
  addKeepCommand(audit);
  audit
    .command('export')
    .description('write the chain to a file, one JSON object per line, for others to keep and verify')
    .requiredOption('--to <file>', 'the file', parseText)
    .option('--sealed', 'encrypt it with ENCRYPTION_KEY; audit verify --file reads it')
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', example('audit export --to ./audit.jsonl', 'audit export --sealed --to ./audit.sealed'))
    .action(exportChain);
  addArchiveCommands(audit);
}

const listEntries = withReads(async ({ reads: db, now }, query: AuditQuery & { limit: number }) => {
  const found = await listAuditEntries(db, query, query.limit + 1);
  const archived = found.length > query.limit ? 0 : (await archivedHead(db)).position;
  return list(found.map(view), {
    columns: ['at', 'who', 'action', 'resource_id'],
    cut: ['action'],
    drop: ['resource_id'],
    empty: 'The audit log has no such entries.',
    limit: query.limit,
    note: archived > 0 ? `Older entries, up to position ${archived}, are archived: see audit archives.` : undefined,
    forPeople: (row) => ({ ...row, at: shortMoment(row.at, now()), who: nameOf(row) }),
  });
});

function view({ at, actor_kind, actor, action, resource_id, correlation_id, position }: AuditEntryRow) {
  return { at, actor_kind, actor, action, resource_id, correlation_id, position };
}

function nameOf({ actor_kind, actor }: ReturnType<typeof view>): string {
  return actor_kind === 'service' ? 'the service' : `${actor_kind.replace('_', ' ')} ${actor}`;
}

const verify = withRuntime(async (runtime, { head: given, file }: { head?: ChainHead; file?: string }) => {
  const heads = given ? [given] : [];
  const exported = file === undefined ? undefined : await verifyGiven(runtime, typedPath(file), heads);
  if (exported?.fault) return brokenExport(exported, exported.fault);
  const total = await chainWaiting(runtime);
  const kept = exported ? exported.behind : heads;
  const verdict = await withProgress('Verifying', total, (tick) => verifyAudit(runtime, kept, tick)).catch(explained);
  const { archived, head, fault, waiting, displaced, sealed, kept: outside } = verdict;
  const holds = auditHolds(verdict);
  const fields = {
    holds,
    entries: head.position,
    archived,
    head: headText(head),
    waiting,
    displaced,
    fault: fault?.reason ?? null,
    fault_position: fault?.position ?? null,
    sealed,
    kept: outside,
  };
  const place = runtime.providers.auditHead.place;
  const note = holds ? (outside === null ? notKept(place) : keptIn(place, outside)) : RESTORED;
  const output = { ...record(verdictText(verdict), filled(fields), note), json: fields };
  return holds ? output : { ...output, exitCode: 1 };
});

function explained(error: unknown): never {
  throw error instanceof ArchivedHead ? new OperatorError(error.message) : error;
}

/**
 * @returns also the heads that must be present in the log
 * @throws OperatorError when the file cannot be read or compared with the log
 */
async function verifyGiven({ db, keys }: Runtime, file: string, heads: readonly ChainHead[]) {
  const archived = (await listArchives(db)).map(headOf);
  const exported = await verifyExport(file, keys.encryption, [...archived, ...heads]).catch((error) => {
    if (error instanceof UnreadableExport) throw new OperatorError(`${file} ${error.message}`);
    throw new OperatorError(`cannot read ${file}: ${reason(error)}`);
  });
  const { from, head } = exported;
  const begin = await archivedHead(db);
  const isIn = ({ position }: ChainHead) => position >= from.position && position <= head.position;
  const isArchive = archived.some(({ position }) => position === head.position);
  if (!exported.fault && head.position < begin.position && !isArchive)
    throw new OperatorError(
      `${file} ends at position ${head.position}, and the log begins at ${begin.position + 1}: give a file that ends where an archive ends, or in the log`,
    );
  const behind = [head, ...heads.filter((one) => !isIn(one))];
  return { ...exported, file, behind: isArchive ? behind.slice(1) : behind };
}

function brokenExport({ file, from, head }: VerifiedExport & { file: string }, fault: ChainFault): Output {
  const fields = {
    holds: false,
    entries: head.position,
    archived: from.position,
    head: headText(head),
    waiting: 0,
    displaced: 0,
    fault: fault.reason,
    fault_position: fault.position,
    sealed: null,
    kept: null,
  };
  const sentence = `The exported file ${file} does not hold: ${faultText(fault)}.`;
  return { ...record(sentence, filled(fields)), json: fields, exitCode: 1 };
}

const keptIn = (place: string, position: number) =>
  `It contains the head that workers keep in ${place} (position ${position}), which the database cannot change.`;
const notKept = (place: string) =>
  `No head is kept in ${place} yet, so an end that was cut off is not noticed: workers keep it within seconds. To give one yourself:
  ${commandLine('audit verify --head <head>')}`;
const RESTORED = `If a backup was restored, accept the log as it is:
  ${commandLine('audit keep-head')}`;

const exportChain = withReads(async (runtime, { to, force, sealed }: { to: string; force?: true; sealed?: true }) => {
  await chainAudit(runtime);
  let entries = 0;
  async function* lines() {
    const from = await archivedHead(runtime.reads);
    for await (const entry of placedEntries(runtime.reads, from)) {
      entries += 1;
      yield Buffer.from(`${exportLine(entry, entry.hash)}\n`);
    }
    if ((await archivedHead(runtime.reads)).position !== from.position)
      throw new OperatorError('entries were archived meanwhile; try again');
  }
  const file = typedPath(to);
  const content = sealed ? sealedExport(lines(), runtime.keys.encryption) : lines();
  await writePrivateFile(file, content, force ?? false);
  return record('The audit log was exported.', { file, entries });
});

function parseHead(text: string): ChainHead {
  const head = readHead(text);
  if (!head)
    throw new InvalidArgumentError('Give a position and a hash as audit verify shows them: <position>:<hash>.');
  return head;
}
