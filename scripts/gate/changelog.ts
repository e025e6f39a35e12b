/** One version of the changelog: `## 1.1.0 - 2026-12-01`; one that is not released yet has no date. */
export interface Section {
  version: string;
  date: string | undefined;
  /** The items below `### Breaking`. */
  breaking: string[];
  /** The items below every heading. */
  items: string[];
}

const HEADING = /^## (\d+\.\d+\.\d+)(?: - (\d{4}-\d{2}-\d{2}))?$/;

/** The versions of a changelog in Markdown, in the order of the file. An item is a line that begins with `- `. */
export function readChangelog(text: string): Section[] {
  const sections: Section[] = [];
  let heading = '';
  for (const line of text.split(/\r?\n/)) {
    const [, version, date] = HEADING.exec(line) ?? [];
    const section = sections.at(-1);
    if (version) sections.push({ version, date, breaking: [], items: [] });
    if (line.startsWith('#')) heading = line;
    if (!section || !line.startsWith('- ')) continue;
    section.items.push(line.slice(2));
    if (heading === '### Breaking') section.breaking.push(line.slice(2));
  }
  return sections;
}

/** Versions as numbers: negative when the first is the older. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number));
  return [0, 1, 2].map((part) => (a?.[part] ?? 0) - (b?.[part] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

export function nextVersion(version: string, part: 'major' | 'minor'): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return part === 'major' ? `${major + 1}.0.0` : `${major}.${minor + 1}.0`;
}
