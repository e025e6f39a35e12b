import { catalogue } from '../../core/settings/catalogue.ts';
import type { SettingsTable } from '../../core/settings/setting.ts';

/** The tables of settings, by the page that shows them. */
const PAGES = {
  'docs/operating/configure.md': ['service', 'mail', 'kyc', 'eid', 'store'],
  'docs/operating/bank.md': ['bank'],
  'docs/operating/webhooks.md': ['deliveries'],
  'docs/operating/people.md': ['retention'],
} as const;

export const settingsTables = Object.entries(PAGES).map(([file, tables]) => ({
  file,
  parts: tables.map((name) => ({
    part: `settings ${name}`,
    text: tableOf(catalogue[name], name === 'retention' ? 'Deleted' : 'Meaning'),
  })),
}));

/** Without a column of values when no setting has a range or a list of them. */
function tableOf(table: SettingsTable, meaning: string): string {
  const settings = Object.entries(table);
  const hasValues = settings.some(([, { values }]) => values !== '');
  const row = (name: string, fallback: string, values: string, text: string) => {
    const cells = [name, fallback, ...(hasValues ? [values] : []), text];
    return `|${cells.map((cell) => (cell ? ` ${cell} |` : ' |')).join('')}\n`;
  };
  const head = row('Name', 'Default', 'Values', meaning);
  const rule = head.replaceAll(/[^|\n]+/g, '---');
  const rows = settings.map(([name, { fallback, values, meaning: text }]) =>
    row(`\`${name}\``, fallback, values, text),
  );
  return `${head}${rule}${rows.join('')}`;
}
