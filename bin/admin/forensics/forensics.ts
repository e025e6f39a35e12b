import { addAnalyseCommand } from '@tenant-screening/forensics/cli/analyse-files';
import type { Host } from '@tenant-screening/forensics/cli/host';
import { addRulesCommand } from '@tenant-screening/forensics/cli/list-rules';
import type { Command } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { ConfigError } from '../../../core/settings/config-error.ts';
import { readForensics } from '../../../core/settings/forensic-settings.ts';
import { REQUESTED, requestForensic } from '../../../jobs/documents/request-forensic.ts';
import { type Activity, addActivityList } from '../cli/activity-list.ts';
import { apiKeyOption, applicationOption, type KeyChoice, namedKeyOf } from '../cli/key-choice.ts';
import { namedTenant } from '../cli/named.ts';
import { operator } from '../cli/operator.ts';
import { list, record } from '../cli/output.ts';
import { withProgress } from '../cli/progress.ts';
import { typedPath } from '../cli/read-file.ts';
import { commandLine, example, standalone, withRuntime } from '../cli/run-command.ts';
import { addDecideCommand } from './decide.ts';
import { addShowCommand } from './show.ts';

const analyses: Activity = {
  noun: 'forensics',
  id: 'forensic_id',
  plural: 'forensic analyses',
  table: 'forensic_runs',
  statuses: ['pending', 'processing', 'completed', 'failed'],
  audited: 'forensic.read',
};

/** Runs the package's commands as subcommands of this program. */
const host: Host = {
  action: standalone,
  example: (...commands) => example(...commands.map((command) => `forensics ${command}`)),
  resolve: typedPath,
  settings() {
    const faults: string[] = [];
    const settings = readForensics(process.env, faults);
    if (faults.length > 0) throw new ConfigError(faults);
    return settings;
  },
  withProgress,
  table: (rows, layout) => list(rows, layout).text,
};

export function addForensicsCommands(forensics: Command): void {
  addAnalyseCommand(forensics, host);
  addRunCommand(forensics);
  addActivityList(forensics, analyses);
  addShowCommand(forensics);
  addDecideCommand(forensics);
  addRulesCommand(forensics, host);
}

function addRunCommand(forensics: Command): void {
  forensics
    .command('run')
    .description('analyse the documents that an API key holds about a tenant, like the API’s run-forensic')
    .argument('<tenant>', 'the id or e-mail address of the tenant', canonicalId)
    .addOption(applicationOption())
    .addOption(apiKeyOption())
    .option('--again', 'analyse even when there is a stored result for the same documents and rules')
    .addHelpText('after', '\nExits with 1 when the tenant is not queued and no analysis is under way.')
    .addHelpText(
      'after',
      example('forensics run marta.ruiz@mail.example', 'forensics run marta.ruiz@mail.example --again'),
    )
    .action(run);
}

interface RunOptions extends KeyChoice {
  again?: true;
}

const run = withRuntime(async ({ db, queue, now }, idOrEmail: string, options: RunOptions) => {
  const tenant = await namedTenant(db, idOrEmail);
  const { id } = tenant;
  const of = await namedKeyOf(db, tenant, options);
  const status = await requestForensic({ db, queue, now }, of, options.again === true, operator());
  const isUnderWay = status === 'QUEUED' || status === 'PENDING' || status === 'PROCESSING';
  const fields = { tenant_id: id, processing_status: status, added_to_queue: status === 'QUEUED' };
  const next = isUnderWay ? `Once it has completed:\n  ${commandLine(`forensics show ${id}`)}` : undefined;
  const output = record(REQUESTED[status], fields, next);
  return isUnderWay ? output : { ...output, exitCode: 1 };
});
