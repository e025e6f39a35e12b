import { expectPagePlace } from '@tenant-screening/forensics/cli/files';
import { reportForTerminal, writePage } from '@tenant-screening/forensics/cli/report-page';
import type { Command } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { findTenantByIdOrEmail } from '../../../db/applications/tenants.ts';
import type { Database } from '../../../db/connection/database.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { type ForensicRunRow, findForensicRun, findLatestCompletedRun } from '../../../db/documents/forensic-runs.ts';
import { type ReadDecision, readDecisions } from '../../../jobs/documents/decide-finding.ts';
import { findStoredAnalysis } from '../../../jobs/documents/stored-analysis.ts';
import { OperatorError } from '../cli/faults.ts';
import { auditRead } from '../cli/operator.ts';
import { list, record } from '../cli/output.ts';
import { typedPath } from '../cli/read-file.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';

export function addShowCommand(forensics: Command): void {
  forensics
    .command('show')
    .description('show what an analysis found')
    .argument(
      '<analysis>',
      'the id of the analysis; or of a tenant, or an e-mail address, for the latest that completed',
      canonicalId,
    )
    .option('--html <file>', 'also write a page for a browser, without pictures of the documents')
    .addHelpText(
      'after',
      example('forensics show marta.ruiz@mail.example', 'forensics show <analysis id> --html report.html'),
    )
    .action(show);
}

const show = withRuntime(async ({ db, keys, now }, id: string, { html }: { html?: string }) => {
  const file = html === undefined ? undefined : typedPath(html);
  if (file !== undefined) await expectPagePlace(file);
  const run = await namedRun(db, id);
  const found = await findStoredAnalysis({ db, keys }, run);
  if (!found) throw new OperatorError(`the analysis "${run.id}" ${withoutResult(run)}`);
  const { id: forensic_id, tenant_id, finished_at } = run;
  await auditRead(db, 'forensic.read', forensic_id, now());
  const { stored, analysis } = found;
  const fields = { forensic_id, tenant_id, finished_at };
  const decisions = await readDecisions({ db, keys }, found.run.id);
  const json = { ...fields, result: stored, decisions };
  if (!analysis) {
    if (file !== undefined) throw new OperatorError('the analysis lists no checks, so there is nothing for a page');
    return {
      json,
      text: record('The analysis has completed.', fields, 'It lists no checks. --json shows what it says.').text,
    };
  }
  if (file !== undefined) await writePage(file, analysis, new Map());
  const head = record('The analysis has completed.', fields).text;
  const note = 'abridged' in analysis ? ['The result was too large to be kept whole: places were left out.'] : [];
  const decided = decisions.length > 0 ? [decidedText(decisions)] : [];
  const parts = [
    head,
    ...note,
    reportForTerminal(analysis),
    ...decided,
    ...(file === undefined ? [] : [`For a browser: ${file}`]),
  ];
  return { json, text: parts.join('\n\n') };
});

function decidedText(decisions: readonly ReadDecision[]): string {
  const rows = decisions.map(({ rule, finding, decision, reason, decided_by, decided_at }) => ({
    ...{ rule, finding, decision, reason, decided_by, decided_at },
  }));
  const columns = ['decided_at', 'decided_by', 'rule', 'finding', 'decision', 'reason'] as const;
  return `Decisions\n${list(rows, { columns: [...columns], cut: ['reason'], empty: '' }).text}`;
}

/** @throws OperatorError when there is no such run */
async function namedRun(db: Database, id: string): Promise<ForensicRunRow> {
  return (await findForensicRun(db, ALL_LANDLORDS, id)) ?? latestRun(db, id);
}

function withoutResult({ status, failure, finished_at }: ForensicRunRow): string {
  if (finished_at === null) return 'has not completed yet';
  return status === 'failed'
    ? `failed: ${failure}`
    : 'has completed, and its result was erased since, or no ENCRYPTION_KEY opens it';
}

async function latestRun(db: Database, idOrEmail: string): Promise<ForensicRunRow> {
  const tenant = await findTenantByIdOrEmail(db, idOrEmail);
  if (!tenant)
    throw new OperatorError(
      `no analysis and no tenant is called "${idOrEmail}"; list analyses with their ids with ${commandLine('forensics list --json')}`,
    );
  const latest = await findLatestCompletedRun(db, tenant.id);
  if (latest) return latest;
  throw new OperatorError(
    `no analysis of ${tenant.email} has completed; list them with ${commandLine('forensics list')}`,
  );
}
