import type { Document } from '../../forensics/model.ts';
import { readPages } from '../../forensics/pdf/text.ts';
import type { Finding, Rule, Strength, Verdict } from '../../forensics/rule.ts';
import { amount, text } from './pdf-fixtures.ts';

/** The content of a payslip's page: thirty words, and amounts that end at 500. Names and amounts can be others. */
export function payslip({ name = 'Erika Muster', gross = '3.250,00', net = '2.180,40' } = {}): string {
  const rows: [string, string][] = [
    ['Gehalt', gross],
    ['Zulage', '120,00'],
    ['Lohnsteuer', '412,16'],
    ['Krankenversicherung', '266,50'],
    ['Rentenversicherung', '302,25'],
    ['Arbeitslosenversicherung', '42,25'],
    ['Pflegeversicherung', '66,44'],
    ['Auszahlung', net],
  ];
  const head =
    text(50, 60, 'Entgeltabrechnung Mai 2024', { size: 14 }) + text(50, 90, name) + text(50, 104, 'Musterstr. 12');
  const body = rows.map(([label, value], row) => text(50, 140 + 20 * row, label) + amount(500, 140 + 20 * row, value));
  return head + body.join('') + text(50, 320, 'Bitte bewahren Sie diese Abrechnung auf.');
}

/** The base line of the row with a label: "Gehalt" 0 to "Auszahlung" 7. */
export function rowAt(row: number): number {
  return 140 + 20 * row;
}

export function documentOf(bytes: Uint8Array): Document {
  const none = () => Promise.reject(new Error('not looked at here'));
  return { name: 'file.pdf', kind: 'pdf', bytes, pages: () => readPages(bytes), pagesRead: none, pixels: none };
}

export async function verdictOn(rule: Rule, bytes: Uint8Array): Promise<Verdict> {
  return rule.run(documentOf(bytes));
}

/** What a rule finds, each finding with what it weighs. */
export async function findingsOn(rule: Rule, bytes: Uint8Array): Promise<(Finding & { strength: Strength })[]> {
  const verdict = await verdictOn(rule, bytes);
  if (verdict.status !== 'finding') return [];
  return verdict.findings.map((finding) => ({ ...finding, strength: finding.strength ?? rule.strength }));
}
