import { addAnalyseCommand } from '@tenant-screening/forensics/cli/analyse-files';
import type { Host } from '@tenant-screening/forensics/cli/host';
import { addRulesCommand } from '@tenant-screening/forensics/cli/list-rules';
import type { Command } from 'commander';
import { ConfigError } from '../../../core/settings/config.ts';
import { readForensics } from '../../../core/settings/forensic-settings.ts';
import { type Activity, addActivityList } from '../cli/activity-list.ts';
import { list } from '../cli/output.ts';
import { withProgress } from '../cli/progress.ts';
import { typedPath } from '../cli/read-file.ts';
import { example, standalone } from '../cli/run-command.ts';
import { addRunCommand } from './run.ts';
import { addShowCommand } from './show.ts';

const analyses: Activity = {
  noun: 'forensics',
  id: 'forensic_id',
  plural: 'forensic analyses',
  table: 'forensic_runs',
  statuses: ['pending', 'processing', 'completed', 'failed'],
};

/** The package's commands, run as commands of this program. */
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
  addRulesCommand(forensics, host);
}
