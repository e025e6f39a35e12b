import { type BareLabel, bareLabels, labelsOn } from '../../content/bare-labels.ts';
import { wordLines } from '../../content/words.ts';
import { cut, quoted } from '../../pdf/diff/values.ts';
import { completeRows, type Gap, gapsOn } from '../../pdf/text/gaps.ts';
import type { TextPage } from '../../pdf/text/read-pages.ts';
import type { Finding, Rule } from '../../rule.ts';
import { type Looked, verdictOnText } from '../on-text.ts';

const LONGEST = 80;

/**
 * A program writes similar rows with the same parts: every booking with a date and a purpose has an amount. A booking inside a list that lacks
 * what all similar rows have has lost it, because text was deleted or because something other than text shows it. The same applies to a
 * label whose value payslips and statements always give (name, date of birth, account, gross pay, deductions, net pay), if two labels
 * around it have their values. Pages with blackened places are skipped.
 *
 * Known false positives: bookings without an amount, for information; forms in which one such field was left empty.
 *
 * Source: own reasoning.
 */
export const missingValue: Rule = {
  name: 'missing-value',
  version: 3,
  title: 'Rows and labels that lack a value',
  strength: 'medium',
  family: 'content',
  substance: true,
  appliesTo: ['pdf'],
  run: ({ bytes }) => verdictOnText(bytes, look),
};

function look(pages: readonly TextPage[]): Looked {
  const counts = pages.map((page) => completeRows(page) + labelsOn(wordLines([page])));
  return {
    findings: pages.flatMap(findingsOn),
    compared: {
      count: counts.reduce((sum, count) => sum + count, 0),
      what: 'row or label',
      many: 'rows and labels',
      none: 'There is no list of bookings, and no label whose value documents always give.',
    },
  };
}

function findingsOn(page: TextPage): Finding[] {
  if ((page.redactions ?? []).length > 0) return [];
  const labels = bareLabels(wordLines([page])).map(labelFinding);
  return [...labels, ...gapsOn(page).map((gap) => findingOf(gap, page.number))];
}

function labelFinding({ label, page, box }: BareLabel): Finding {
  return {
    message: `${quoted(cut(label, LONGEST))} on page ${page} has no value, while the labels around it have theirs.`,
    evidence: [{ page, box, before: '', after: '' }],
  };
}

function findingOf({ box, row }: Gap, page: number): Finding {
  return {
    message: `The row ${quoted(cut(row, LONGEST))} on page ${page} lacks the figure that all rows like it have.`,
    evidence: [{ page, box, before: '', after: '' }],
  };
}
