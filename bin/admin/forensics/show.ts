import type { Analysis } from '@tenant-screening/forensics/analysis';
import { expectPagePlace } from '@tenant-screening/forensics/cli/files';
import { reportForTerminal, writePage } from '@tenant-screening/forensics/cli/report-page';
import type { Command } from 'commander';
import { unsealJson } from '../../../core/secrets/secrets.ts';
import { findTenantByIdOrEmail } from '../../../db/applications/tenants.ts';
import type { Database } from '../../../db/connection/connect.ts';
import { type ForensicRunRow, findForensicRun, findLatestCompletedRun } from '../../../db/documents/forensic-runs.ts';
import { OperatorError } from '../cli/faults.ts';
import { auditRead } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { typedPath } from '../cli/read-file.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';

export function addShowCommand(forensics: Command): void {
  forensics
    .command('show')
    .description('show what an analysis found')
    .argument(
      '<analysis>',
      'the id of the analysis; or of a tenant, or an e-mail address, for the latest that completed',
    )
    .option('--html <file>', 'write a page for a browser as well, without pictures of the documents')
    .addHelpText(
      'after',
      example('forensics show marta.ruiz@mail.example', 'forensics show <analysis id> --html report.html'),
    )
    .action(show);
}

const show = withRuntime(async ({ db, keys, now }, id: string, { html }: { html?: string }) => {
  const file = html === undefined ? undefined : typedPath(html);
  if (file !== undefined) await expectPagePlace(file);
  const { id: forensic_id, tenant_id, finished_at, result } = await namedRun(db, id);
  await auditRead(db, 'forensic.read', forensic_id, now());
  const stored: unknown = JSON.parse(unsealJson(result, keys.encryption));
  const fields = { forensic_id, tenant_id, finished_at };
  const json = { ...fields, result: stored };
  if (!isAnalysis(stored)) {
    if (file !== undefined) throw new OperatorError('the analysis lists no checks, so there is nothing for a page');
    return {
      json,
      text: record('The analysis has completed.', fields, 'It lists no checks. --json shows what it says.').text,
    };
  }
  if (file !== undefined) await writePage(file, stored, new Map());
  const head = record('The analysis has completed.', fields).text;
  const note = 'abridged' in stored ? ['The result was too large to be kept whole: places were left out.'] : [];
  const parts = [head, ...note, reportForTerminal(stored), ...(file === undefined ? [] : [`For a browser: ${file}`])];
  return { json, text: parts.join('\n\n') };
});

/** @throws OperatorError when there is no such run, or it has no result */
async function namedRun(db: Database, id: string): Promise<ForensicRunRow & { result: string }> {
  const run = (await findForensicRun(db, id)) ?? (await latestRun(db, id));
  const { status, failure } = run;
  const { result } = (run.result_of !== null && (await findForensicRun(db, run.result_of))) || run;
  if (result !== null) return { ...run, result };
  const ended = status === 'failed' ? `failed: ${failure}` : 'has completed, and its result was erased since';
  const what = run.finished_at === null ? 'has not completed yet' : ended;
  throw new OperatorError(`the analysis "${run.id}" ${what}`);
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

/** Whether the current engine wrote the result. A simulation or an older engine may have stored less. */
function isAnalysis(stored: unknown): stored is Analysis {
  if (!isObject(stored) || !isObject(stored['engine']) || !Array.isArray(stored['documents'])) return false;
  const { version } = stored['engine'];
  return typeof version === 'string' && stored['documents'].every(isDocument);
}

function isDocument(value: unknown): boolean {
  return isObject(value) && Array.isArray(value['checks']) && isObject(value['facts']);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
