import { CHANGELOG, compareVersions, nextVersion, readChangelog, type Section } from './changelog.ts';
import type { Contract } from './document.ts';
import { document } from './kinds.ts';
import { type Change, type Direction, Walk } from './walk.ts';

const MEANING: Record<Direction, Record<Change['effect'], string>> = {
  input: {
    narrowed: 'what callers send today may be refused',
    changed: 'what callers send today is understood differently or not at all',
    widened: '',
    added: '',
  },
  output: {
    widened: 'callers may receive what they do not know',
    changed: 'callers no longer receive what they were built for',
    narrowed: '',
    added: '',
  },
};

/** Every difference between the released contract and another. */
function walkBetween(released: Contract, contract: Contract): Walk {
  const walk = new Walk(released, contract);
  const root = { before: released.root, after: contract.root };
  walk.enter(document, { ...root, pointer: '#', place: 'the whole contract', direction: 'input', parents: root });
  return walk;
}

/** Differences in generated code but not on the wire: the names of schemas, tags, constants and unnamed operations. */
export function namesOnly(contract: Contract, released: Contract): string[] {
  const { names } = walkBetween(released, contract);
  return [...names].map(([what, places]) => `Names only: ${what} (${[...places].join(', ')})`).sort();
}

function isBreaking({ effect, direction }: Change): boolean {
  return MEANING[direction][effect] !== '';
}

/** How the changelog declares a break; an explanation may follow it. */
function declarationOf({ pointer, what }: Change): string {
  return `\`${pointer}\` ${what}`;
}

/** The reasons why a contract may not replace the released one, given the changelog; empty when it may. */
export function problemsOf(contract: Contract, released: Contract, changelog: string): string[] {
  const { changes } = walkBetween(released, contract);
  const section = readChangelog(changelog).find(({ version }) => version === contract.version);
  const breaks = changes.filter(isBreaking);
  return [
    ...undeclared(breaks, section, released.version),
    ...declaredInVain(breaks, section, released.version, contract.version),
    ...versionProblems(changes, breaks.length > 0, section, released.version, contract.version),
  ];
}

function undeclared(breaks: Change[], section: Section | undefined, released: string): string[] {
  const version = nextVersion(released, 'major');
  const lines = new Map<string, Change[]>();
  for (const change of breaks) {
    const line = declarationOf(change);
    if (!section?.breaking.some((item) => declares(item, line))) lines.set(line, [...(lines.get(line) ?? []), change]);
  }
  return [...lines].map(([line, reached]) => {
    const reasons = reached.map(({ direction, effect, place }) => `    ${place}: ${MEANING[direction][effect]}`);
    const advice = `    Take it back, or set info.version to ${version} and put this line below "### Breaking" of "## ${version}" in ${CHANGELOG}:`;
    return [`Breaking: ${line}`, ...new Set(reasons), advice, `    - ${line}`].join('\n');
  });
}

function declares(item: string, line: string): boolean {
  return item === line || (item.startsWith(line) && /^[\s.,:;]/.test(item.slice(line.length)));
}

/** A leftover declaration would let the same break pass unnoticed later. */
function declaredInVain(breaks: Change[], section: Section | undefined, released: string, version: string): string[] {
  if (!section || version === released) return [];
  return section.breaking
    .filter((item) => item.startsWith('`#') && !breaks.some((change) => declares(item, declarationOf(change))))
    .map((item) => `${CHANGELOG}, ${section.version}: "${item}" is not a break of this contract. Take the line out.`);
}

function versionProblems(
  changes: Change[],
  breaks: boolean,
  section: Section | undefined,
  released: string,
  version: string,
): string[] {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return [`openapi.yaml: info.version is ${version}; write it as 1.2.3.`];
  const needed = breaks ? nextVersion(released, 'major') : nextVersion(released, 'minor');
  if (changes.length > 0 && compareVersions(version, needed) < 0) {
    const additions = changes.map((change) => `\n    ${declarationOf(change)} (${change.place})`).join('');
    return [
      `openapi.yaml: info.version is ${version}; ${breaks ? 'a break' : 'an addition'} needs ${needed} or higher.${breaks ? '' : additions}`,
    ];
  }
  if (compareVersions(version, released) < 0)
    return [`openapi.yaml: info.version is ${version}, but ${released} was released.`];
  if (section && section.items.length > 0) return [];
  return [`${CHANGELOG} says nothing of ${version}: add "## ${version}" with a line for what changed.`];
}
