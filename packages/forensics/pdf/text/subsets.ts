import { entry, nameOf } from '../objects.ts';
import type { PaintedPage } from '../paint/marks.ts';
import type { Structure } from '../structure.ts';

/** Characters in an embedded font subset that no page shows. */
export interface Unused {
  /** With its prefix. */
  subset: string;
  /** Letters and digits, sorted. */
  characters: string[];
  /** The number of letters and digits in the subset. */
  total: number;
}

const FONTS = 200;
const MAX_MAP_ENTRIES = 200_000;
const MAPPED = 5000;
const LETTER = /^[\p{L}\p{N}]$/u;

/** By subset, the text of each code, as far as the font's ToUnicode map has it. */
export type CodesBySubset = Map<string, Map<number, string>>;

/** Covers every subset that maps its codes to characters and that a page uses. */
export function unusedIn(codes: CodesBySubset, pages: readonly PaintedPage[]): Unused[] {
  const shown = shownBySubset(pages);
  return [...codes].flatMap(([subset, texts]) => {
    const used = shown.get(subset);
    if (used === undefined) return [];
    const mapped = new Set([...texts.values()].flatMap((text) => [...plain(text)]).filter((one) => LETTER.test(one)));
    const characters = [...mapped].filter((character) => !used.has(character)).sort();
    return [{ subset, characters, total: mapped.size }];
  });
}

function shownBySubset(pages: readonly PaintedPage[]): Map<string, Set<string>> {
  const shown = new Map<string, Set<string>>();
  for (const { marks } of pages)
    for (const mark of marks) {
      if (mark.kind !== 'text' || mark.subset === '') continue;
      const used = shown.get(mark.subset) ?? new Set();
      shown.set(mark.subset, used);
      for (const character of plain(mark.text)) used.add(character);
    }
  return shown;
}

export function codesBySubset(structure: Structure): CodesBySubset {
  const mapped: CodesBySubset = new Map();
  const { current } = structure;
  const fonts = [...current.reachable()].filter(({ value }) => nameOf(entry(value, 'Type')) === 'Font').slice(0, FONTS);
  for (const { value } of fonts) {
    const name = nameOf(current.get(value, 'BaseFont')) ?? '';
    const map = current.referred(entry(value, 'ToUnicode'));
    const data = map && structure.decoded(map);
    if (!/^[A-Z]{6}\+/.test(name) || data === undefined || data.length > MAX_MAP_ENTRIES) continue;
    const codes = mapped.get(name) ?? new Map<number, string>();
    mapped.set(name, codes);
    for (const [code, text] of textsIn(Buffer.from(data).toString('latin1'))) codes.set(code, text);
  }
  return mapped;
}

/** Splits ligatures, and composes letters with their accents. */
function plain(text: string): string {
  return text.normalize('NFKC');
}

/** The texts of the codes in a ToUnicode map (ISO 32000-1, 9.10.3; Adobe technical note 5014). */
function textsIn(map: string): [number, string][] {
  const texts: [number, string][] = [];
  for (const body of sectionsOf(map, 'bfchar'))
    for (const [, code = '', to = ''] of body.matchAll(/<([\da-fA-F\s]{1,8})>\s*<([\da-fA-F\s]{1,80})>/g))
      texts.push([Number.parseInt(code.replace(/\s/g, ''), 16), textOf(to)]);
  for (const body of sectionsOf(map, 'bfrange')) texts.push(...rangesIn(body));
  return texts.slice(0, MAPPED);
}

function sectionsOf(map: string, name: string): string[] {
  const sections: string[] = [];
  for (let at = map.indexOf(`begin${name}`); at >= 0; at = map.indexOf(`begin${name}`, at)) {
    const end = map.indexOf(`end${name}`, at);
    if (end < 0) break;
    sections.push(map.slice(at + name.length + 5, end));
    at = end;
  }
  return sections;
}

function rangesIn(body: string): [number, string][] {
  const range = /<([\da-fA-F]{1,8})>\s*<([\da-fA-F]{1,8})>\s*(?:<([\da-fA-F]{1,80})>|\[([\da-fA-F<>\s]{0,30000})\])/g;
  return [...body.matchAll(range)].flatMap(([, from = '', to = '', first, list]) => {
    const code = Number.parseInt(from, 16);
    if (first === undefined)
      return [...(list ?? '').matchAll(/<([\da-fA-F]{1,80})>/g)].map(([, one = ''], at): [number, string] => [
        code + at,
        textOf(one),
      ]);
    const count = Math.min(Number.parseInt(to, 16) - code + 1, 256);
    const begin = textOf(first);
    const last = begin.charCodeAt(begin.length - 1);
    return Array.from({ length: Math.max(0, count) }, (_, at): [number, string] => [
      code + at,
      begin.slice(0, -1) + String.fromCharCode(last + at),
    ]);
  });
}

function textOf(hex: string): string {
  const bytes = Buffer.from(hex.replace(/\s/g, ''), 'hex');
  return bytes.length < 2 ? bytes.toString('latin1') : new TextDecoder('utf-16be').decode(bytes);
}
