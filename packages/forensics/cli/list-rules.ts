import { type Command, Option } from 'commander';
import type { Strength } from '../rule.ts';
import type { Host } from './host.ts';

/** Adds `rules`: the rules and their strengths. */
export function addRulesCommand(parent: Command, host: Host): void {
  parent
    .command('rules')
    .description('list the rules that check documents')
    .addOption(new Option('--strength <strength>', 'those of one strength').choices(['strong', 'medium', 'context']))
    .addHelpText('after', host.example('rules', 'rules --strength strong'))
    .action(host.action((options: { strength?: Strength }) => listRules(options, host)));
}

async function listRules({ strength: wanted }: { strength?: Strength }, host: Host) {
  const { rules } = await import('../rules/index.ts');
  const listed = rules.filter(({ strength }) => wanted === undefined || strength === wanted);
  const json = listed.map(({ name, version, strength, family, title, appliesTo }) => ({
    rule: name,
    version,
    strength,
    family,
    title,
    applies_to: [...appliesTo],
  }));
  const rows = listed.map(({ name, version, strength, family, title }) => ({
    rule: `${name} v${version}`,
    strength,
    family,
    title,
  }));
  const text = host.table(rows, {
    columns: ['rule', 'strength', 'family', 'title'],
    cut: ['title'],
    empty: 'There are no such rules.',
  });
  return { json, text };
}
