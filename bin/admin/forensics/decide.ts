import { type Command, InvalidArgumentError, Option } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { DECISIONS, type Decision } from '../../../db/documents/finding-decisions.ts';
import { findForensicRun } from '../../../db/documents/forensic-runs.ts';
import { DECISION_WORDS, decideFinding } from '../../../jobs/documents/decide-finding.ts';
import { OperatorError } from '../cli/faults.ts';
import { operator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';

interface Options {
  document?: string;
  finding: number;
  decision: Decision;
  reason: string;
}

export function addDecideCommand(forensics: Command): void {
  forensics
    .command('decide')
    .description('record a reviewer’s decision about a finding; the result and sent events stay as they are')
    .argument('<analysis>', 'the id of the analysis', canonicalId)
    .argument('<rule>', 'the rule that found it, such as revised-text')
    .option('--document <id>', 'the id of the document; without it, a finding across documents')
    .option('--finding <number>', 'which of the findings of the rule', wholeNumber, 1)
    .addOption(new Option('--decision <decision>', 'what was decided').choices(DECISIONS).makeOptionMandatory())
    .requiredOption('--reason <text>', 'why; stored encrypted')
    .addHelpText(
      'after',
      example(
        'forensics decide <analysis id> revised-text --document <document id> --decision confirmed --reason "The issuer sent the original."',
      ),
    )
    .action(decide);
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Give a number from 1.');
  return Number(text);
}

const decide = withRuntime(async (runtime, id: string, rule: string, options: Options) => {
  const run = await findForensicRun(runtime.db, ALL_LANDLORDS, id);
  if (!run) throw new OperatorError(`no analysis is called "${id}"`);
  const { document, finding, decision, reason } = options;
  const key = { document_id: document ?? null, rule, finding };
  await decideFinding(runtime, run, key, { decision, reason }, operator());
  return record(`Recorded: ${DECISION_WORDS[decision]}.`, { forensic_id: id, ...key, decision });
});
