import { changes, type StagedCounts } from '../../../db/properties/apply-staged.ts';
import type { BadLine } from '../../../db/properties/staged-properties.ts';
import { plain, record } from '../cli/output.ts';
import { commandLine, type Output } from '../cli/run-command.ts';

/** The result of an import. */
export interface ImportReport {
  landlordId: string;
  counts: StagedCounts;
  /** Whether the good lines were imported, or would be without --dry-run. */
  isAccepted: boolean;
  dryRun: boolean;
  /** The first bad lines. */
  shown: NamedBadLine[];
}

export interface NamedBadLine {
  line: number;
  reason: string;
}

export const SHOWN_BAD_LINES = 20;

/** @param nameLine gives the name of an earlier line that this one conflicts with */
export function named({ line, fault, fault_line }: BadLine, nameLine: (line: number) => string): NamedBadLine {
  return { line, reason: [fault, fault_line && nameLine(fault_line)].filter(Boolean).join(' ') };
}

export function importOutput(report: ImportReport): Output {
  const { landlordId, counts, isAccepted, dryRun, shown } = report;
  const { bad, properties, workspaces } = counts;
  const fields = {
    landlord_id: landlordId,
    ...properties,
    skipped: bad,
    workspaces_added: workspaces.added,
    workspaces_changed: workspaces.changed,
  };
  const json = { ...fields, applied: isAccepted && !dryRun, bad_lines: shown };
  const faults = faultsText(shown, bad);
  if (!isAccepted) return { json, text: [refusal(counts), ...faults, ADVICE].join('\n\n'), exitCode: 1 };
  const next = dryRun ? [] : [`See them:\n  ${commandLine(`property list --landlord ${landlordId}`)}`];
  return { json, text: record(sentence(report), fields, [...faults, ...next].join('\n\n')).text };
}

const ADVICE = 'Correct them and import the file again, or import the others with --skip-bad.';

function sentence({ counts, dryRun }: ImportReport): string {
  if (dryRun) return 'Nothing was changed. The import would do this:';
  if (counts.lines === 0) return 'Nothing was changed: the file contains nothing to import.';
  return changes(counts) > 0 ? 'The file was imported.' : 'Nothing was changed: everything in the file exists already.';
}

function refusal({ bad, properties: { added, changed, unchanged } }: StagedCounts): string {
  return `Nothing was imported: ${amount(bad)} of ${amount(bad + added + changed + unchanged)} lines are invalid.`;
}

function faultsText(shown: NamedBadLine[], bad: number): string[] {
  if (bad === 0) return [];
  const more =
    bad > shown.length ? [`And ${amount(bad - shown.length)} more; --bad-lines <file> writes them all.`] : [];
  return [[...shown.map(({ line, reason }) => `line ${line}: ${plain(reason)}`), ...more].join('\n')];
}

function amount(count: number): string {
  return count.toLocaleString('en');
}
