import { type Command, InvalidArgumentError } from 'commander';
import { type ChainFault, type ChainHead, exportLine, headText, readHead } from '../../../core/rules/audit-chain.ts';
import { type AuditEntryRow, type AuditQuery, listAuditEntries } from '../../../db/audit/audit.ts';
import { chainHead, placedEntries } from '../../../db/audit/audit-chain.ts';
import { type AuditVerdict, chainAudit, verifyChain } from '../../../jobs/upkeep/chain-audit.ts';
import { filled, list, record } from '../cli/output.ts';
import { withProgress } from '../cli/progress.ts';
import { typedPath } from '../cli/read-file.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { limitOption, parseMoment, parseText } from '../cli/values.ts';
import { writePrivateFile } from '../cli/write-file.ts';

export function addAuditCommands(audit: Command): void {
  audit
    .command('list')
    .description('list who did what to which resource, the newest first')
    .option('--resource <id>', 'what was done to one resource', parseText)
    .option('--actor <actor>', 'what one API key (its id), person or operator did', parseText)
    .option('--action <action>', 'one action, such as webhook.pause, or all on one kind, such as webhook', parseText)
    .option('--since <moment>', 'from this date or moment on', parseMoment)
    .addOption(limitOption())
    .addHelpText('after', example('audit list --action webhook --since 2027-01-31', 'audit list --resource <id>'))
    .action(listEntries);
  audit
    .command('verify')
    .description('follow the chain of hashes from its beginning; tells the first place that does not fit')
    .option('--head <position:hash>', 'a head that was told earlier: it must be in the chain', parseHead)
    .addHelpText('after', '\nExits with 1 when the chain does not hold.')
    .addHelpText('after', example('audit verify', 'audit verify --head 1042:5d41c3…'))
    .action(verify);
  audit
    .command('export')
    .description('write the chain to a file, one JSON object a line, for others to keep and verify')
    .requiredOption('--to <file>', 'the file', parseText)
    .option('--force', 'replace the file if there is one')
    .addHelpText('after', example('audit export --to ./audit.jsonl'))
    .action(exportChain);
}

const listEntries = withRuntime(async ({ db }, query: AuditQuery & { limit: number }) => {
  const found = await listAuditEntries(db, query, query.limit + 1);
  return list(found.map(view), {
    columns: ['at', 'who', 'action', 'resource_id'],
    empty: 'The audit log has no such entries.',
    limit: query.limit,
    forPeople,
  });
});

function view({ at, actor_kind, actor, action, resource_id, correlation_id, position }: AuditEntryRow) {
  return { at, actor_kind, actor, action, resource_id, correlation_id, position };
}

function forPeople(row: ReturnType<typeof view>) {
  const { actor_kind, actor } = row;
  return { ...row, who: actor_kind === 'service' ? 'the service' : `${actor_kind.replace('_', ' ')} ${actor}` };
}

const verify = withRuntime(async (runtime, { head: kept }: { head?: ChainHead }) => {
  // An entry that cannot be placed stays unplaced; verifying finds out why.
  await chainAudit(runtime).catch(() => 0);
  const total = (await chainHead(runtime.db)).position;
  const verdict = await withProgress('Verifying', total, (tick) => verifyChain(runtime, kept, tick));
  const { head, fault, waiting, displaced } = verdict;
  const holds = fault === undefined && displaced === 0;
  const fields = {
    holds,
    entries: head.position,
    head: headText(head),
    waiting,
    displaced,
    fault: fault?.reason ?? null,
    fault_position: fault?.position ?? null,
  };
  const output = { ...record(sentence(verdict), filled(fields), holds ? KEEP : undefined), json: fields };
  return holds ? output : { ...output, exitCode: 1 };
});

const KEEP = `Keep the head somewhere that whoever can change the database cannot. To ask later whether it is still there:
  ${commandLine('audit verify --head <head>')}`;

function sentence({ fault, displaced }: AuditVerdict): string {
  if (fault) return `The audit log does not hold: ${words[fault.reason](fault.position)}.`;
  return displaced > 0
    ? 'The audit log does not hold: entries have lost their place in the chain.'
    : 'The audit log holds: every entry is as it was when it got its place.';
}

const words: Record<ChainFault['reason'], (position: number) => string> = {
  missing: (position) => `the entry at position ${position} is missing`,
  changed: (position) => `the entry at position ${position}, or its place, was changed`,
  cut: (position) => `its end was cut off, from position ${position} on`,
  rewritten: (position) => `it was written anew up to position ${position}, whose hash is not the one given`,
};

const exportChain = withRuntime(async (runtime, { to, force }: { to: string; force?: true }) => {
  await chainAudit(runtime);
  let entries = 0;
  async function* lines() {
    for await (const entry of placedEntries(runtime.db)) {
      entries += 1;
      yield Buffer.from(`${exportLine(entry, entry.hash)}\n`);
    }
  }
  const file = typedPath(to);
  await writePrivateFile(file, lines(), force ?? false);
  return record('The audit log was exported.', { file, entries });
});

function parseHead(text: string): ChainHead {
  const head = readHead(text);
  if (!head)
    throw new InvalidArgumentError('Give a position and a hash as audit verify tells them: <position>:<hash>.');
  return head;
}
