import { type Command, Option } from 'commander';
import { type Activity, addActivityList } from '../cli/activity-list.ts';
import { list } from '../cli/output.ts';
import { alone, example } from '../cli/run-command.ts';
import { addAnalyseCommand } from './analyse.ts';
import { addRunCommand } from './run.ts';
import { addShowCommand } from './show.ts';

const analyses: Activity = {
  noun: 'forensics',
  id: 'forensic_id',
  plural: 'forensic analyses',
  table: 'forensic_runs',
  statuses: ['pending', 'processing', 'completed', 'failed'],
};

export function addForensicsCommands(forensics: Command): void {
  addAnalyseCommand(forensics);
  addRunCommand(forensics);
  addActivityList(forensics, analyses);
  addShowCommand(forensics);
  forensics
    .command('rules')
    .description('list the rules that documents are checked by')
    .addOption(new Option('--strength <strength>', 'those of one strength').choices(['strong', 'medium', 'context']))
    .addHelpText('after', example('forensics rules', 'forensics rules --strength strong'))
    .action(listRules);
}

const listRules = alone(async ({ strength: wanted }: { strength?: string }) => {
  const { rules } = await import('@tenant-screening/forensics/rules');
  const rows = rules
    .filter(({ strength }) => wanted === undefined || strength === wanted)
    .map(({ name, version, strength, family, title, appliesTo }) => ({
      rule: name,
      version,
      strength,
      family,
      title,
      applies_to: [...appliesTo],
    }));
  const { text } = list(
    rows.map(({ rule, version, strength, family, title }) => ({
      strength,
      family,
      title,
      rule: `${rule} v${version}`,
    })),
    { columns: ['rule', 'strength', 'family', 'title'], cut: ['title'], empty: 'There are no such rules.' },
  );
  return { json: rows, text };
});
