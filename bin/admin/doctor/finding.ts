import { oneLine } from '../../../core/text.ts';
import { type Finding, type Found, problem } from '../../../jobs/upkeep/finding.ts';
import { explainExternalError } from '../../service/explain-external-error.ts';
import { commandLine } from '../cli/run-command.ts';

/** An error during the check becomes its finding. */
export async function examine(check: string, advice: string, look: () => Promise<Found>): Promise<Finding> {
  try {
    const { command, ...found } = await look();
    return {
      check,
      ...found,
      ...(command === undefined ? {} : { advice: `${found.advice ?? ''} ${commandLine(command)}`.trim() }),
    };
  } catch (error) {
    return { check, ...problem(reasonOf(error), advice) };
  }
}

/** As a complete sentence. */
export function reasonOf(error: unknown): string {
  const reason = explainExternalError(error) ?? oneLine(error instanceof Error ? error.message : String(error));
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`.replace(/[^.]$/, '$&.');
}

/** Runs the checks in sequence. */
export async function examineEach(checks: readonly [check: string, look: () => Promise<Found>][]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, look] of checks) findings.push(await examine(check, 'Run the doctor again.', look));
  return findings;
}
