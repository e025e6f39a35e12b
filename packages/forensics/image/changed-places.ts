import type { Box } from '../model.ts';
import { type Grey, shrunkGrey, type Window, windowsOf } from './likeness.ts';

/** Where two otherwise equal pictures differ. */
export interface ChangedPlace {
  /** In pixels of the later picture. */
  box: Box;
  /** `changed`: something disappeared and something else appeared; `removed`, `added`: only one of the two. */
  kind: 'changed' | 'removed' | 'added';
  /** Whether it differs greatly while nearly everything else is practically equal. */
  clear: boolean;
  /** The lowest likeness of its windows; 1 means the same content. */
  likeness: number;
}

/** In pixels: larger pictures are scaled down before the comparison. About 200 an inch for a page. */
const WIDEST = 1700;
const WINDOW = 16;
const PROPORTION = 0.02;
const MIN_WINDOWS = 20;
/**
 * Limits to the difference of a window: a multiple of what nearly all windows reach, which is the effect of recompression, and never below
 * `MIN_DIFFERENT_SHARE`. If the multiple exceeds `MAX_DIFFERENT_SHARE`, the pictures are too different to be compared in this way.
 */
const NEARLY_ALL = 0.9;
const TIMES = 6;
const MIN_DIFFERENT_SHARE = 0.12;
const MAX_DIFFERENT_SHARE = 0.45;
const SHARE = 0.1;
const MAX_WINDOWS = 600;
const MAX_PLACES = 8;
const CLEARLY = 0.4;
const MIN_IN_PLACE = 2;
/** Out of 255: pixels darker than their paper by this much are ink, and pixels that differ by this much have changed. */
const INK = 40;
/** Shares of a place's ink. */
const SOME = 0.06;
const MOST = 0.25;

/**
 * None if the later picture shows the same, recompressed, smaller or lighter. Undefined if the two differ in many places or completely, as
 * after straightening or cleaning, or show too little to be compared.
 */
export function changedPlaces(before: Grey, after: Grey): ChangedPlace[] | undefined {
  if (Math.abs((before.width * after.height) / (before.height * after.width) - 1) > PROPORTION) return undefined;
  const { width, height } = commonSize(before, after);
  const [one, other] = [shrunkGrey(before, width, height), shrunkGrey(after, width, height)];
  const windows = windowsOf(one, other, WINDOW);
  if (windows.length < MIN_WINDOWS) return undefined;
  const limit = TIMES * (1 - atShare(windows, 1 - NEARLY_ALL));
  if (limit > MAX_DIFFERENT_SHARE) return undefined;
  const different = windows.filter(({ likeness }) => 1 - likeness > Math.max(MIN_DIFFERENT_SHARE, limit));
  if (different.length > Math.min(MAX_WINDOWS, SHARE * windows.length)) return undefined;
  const places = groupsOf(different).filter(({ count }) => count >= MIN_IN_PLACE);
  if (places.length > MAX_PLACES) return undefined;
  return places.flatMap(({ box, likeness }) => {
    const kind = kindOf(one, other, box);
    const clear = limit <= MIN_DIFFERENT_SHARE && 1 - likeness > CLEARLY;
    const later = scaled(box, after.width / width, after.height / height);
    return kind === undefined ? [] : [{ box: later, kind, clear, likeness }];
  });
}

/** The likeness below which this share of the windows lies. */
function atShare(windows: readonly Window[], share: number): number {
  const sorted = windows.map(({ likeness }) => likeness).sort((a, b) => a - b);
  return sorted[Math.floor(share * sorted.length)] ?? 1;
}

/** The scale factor is a whole number, so that whole pixels merge if both pictures have the same size. */
function commonSize(before: Grey, after: Grey): { width: number; height: number } {
  const smaller = before.width <= after.width ? before : after;
  const times = Math.ceil(smaller.width / WIDEST);
  return { width: Math.ceil(smaller.width / times), height: Math.ceil(smaller.height / times) };
}

interface Group {
  box: Box;
  count: number;
  likeness: number;
}

/** Merges windows that touch or nearly touch, as the figures of one value do. */
function groupsOf(windows: readonly Window[]): Group[] {
  const groups: Group[] = [];
  for (const { box, likeness } of windows) {
    let group: Group = { box, count: 1, likeness };
    for (let at = groups.length - 1; at >= 0; at--) {
      const other = groups[at];
      if (other === undefined || !isNear(group.box, other.box)) continue;
      groups.splice(at, 1);
      group = {
        box: around(group.box, other.box),
        count: group.count + other.count,
        likeness: Math.min(group.likeness, other.likeness),
      };
    }
    groups.push(group);
  }
  return groups;
}

function isNear(a: Box, b: Box): boolean {
  const across = Math.max(a.x, b.x) - Math.min(a.x + a.width, b.x + b.width);
  const down = Math.max(a.y, b.y) - Math.min(a.y + a.height, b.y + b.height);
  return across <= 1.5 * WINDOW && down <= 0;
}

function around(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const [right, bottom] = [Math.max(a.x + a.width, b.x + b.width), Math.max(a.y + a.height, b.y + b.height)];
  return { x, y, width: right - x, height: bottom - y };
}

function scaled({ x, y, width, height }: Box, across: number, down: number): Box {
  return { x: x * across, y: y * down, width: width * across, height: height * down };
}

/** What happened to the ink of a place; undefined if too little of it changed. */
function kindOf(before: Grey, after: Grey, box: Box): ChangedPlace['kind'] | undefined {
  const [gone, come] = [lackingIn(before, after, box), lackingIn(after, before, box)];
  if (gone >= SOME && come >= SOME) return 'changed';
  if (gone >= MOST) return 'removed';
  return come >= SOME ? 'added' : undefined;
}

/** The share of one picture's ink that the other lacks, from 0 to 1; 0 if there is hardly any ink. */
function lackingIn(one: Grey, other: Grey, { x, y, width, height }: Box): number {
  const places = Array.from(
    { length: width * height },
    (_, index) => (y + Math.floor(index / width)) * one.width + x + (index % width),
  );
  const paper = paperOf(places.map((at) => one.data[at] ?? 0));
  const paperThere = paperOf(places.map((at) => other.data[at] ?? 0));
  const ink = places.filter((at) => (one.data[at] ?? 0) < paper - INK);
  if (ink.length < WINDOW) return 0;
  const lacking = ink.filter((at) => {
    const here = paper - (one.data[at] ?? 0);
    return here - (paperThere - (other.data[at] ?? 0)) > INK;
  });
  return lacking.length / ink.length;
}

/** The brightness of the paper: the 90th percentile of a place. */
function paperOf(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length * 0.9)] ?? 255;
}
