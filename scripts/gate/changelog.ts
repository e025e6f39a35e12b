import { createHash } from 'node:crypto';

/** From the top of the repository. */
export const CHANGELOG = 'docs/contract/CHANGELOG.md';

/** One version of the changelog: `## 1.1.0 - 2026-12-01`; one that is not released yet has no date. */
export interface Section {
  version: string;
  date: string | undefined;
  /** The hash of the contract released as this version, written by the release. */
  hash: string | undefined;
  /** The items below `### Breaking`. */
  breaking: string[];
  /** The items below every heading. */
  items: string[];
}

const HEADING = /^## (\d+\.\d+\.\d+)(?: - (\d{4}-\d{2}-\d{2}))?$/;
const HASH = /^Contract: SHA-256 `([0-9a-f]{64})`$/;

/** The versions of a changelog in Markdown, in the order of the file. An item is a line that begins with `- `. */
export function readChangelog(text: string): Section[] {
  const sections: Section[] = [];
  let heading = '';
  for (const line of text.split(/\r?\n/)) {
    const [, version, date] = HEADING.exec(line) ?? [];
    const section = sections.at(-1);
    if (version) sections.push({ version, date: dayOf(date), hash: undefined, breaking: [], items: [] });
    if (line.startsWith('#')) heading = line;
    if (section) section.hash ??= HASH.exec(line)?.[1];
    if (!section || !line.startsWith('- ')) continue;
    section.items.push(line.slice(2));
    if (heading === '### Breaking') section.breaking.push(line.slice(2));
  }
  return sections;
}

/** The date, if the calendar has it. */
function dayOf(date: string | undefined): string | undefined {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(`${date}`) ? date : undefined;
}

/** The hash of a contract's text, the same for either kind of line ending. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}

/** The changelog with the hash of the contract being released, below the heading of its version. */
export function withHash(changelog: string, version: string, hash: string): string {
  const sections = changelog.split(/^(?=## )/m).map((section) => {
    const [heading = '', ...lines] = section.split('\n');
    if (HEADING.exec(heading.trimEnd())?.[1] !== version) return section;
    return [heading, `Contract: SHA-256 \`${hash}\``, ...lines.filter((line) => !HASH.test(line.trimEnd()))].join('\n');
  });
  return sections.join('');
}

/** The newest released version, if there is one. */
export function lastReleased(sections: Section[]): Section | undefined {
  return sections
    .filter(({ hash }) => hash)
    .sort((a, b) => compareVersions(a.version, b.version))
    .at(-1);
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
