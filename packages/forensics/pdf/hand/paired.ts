import { longestRise } from '../longest-rise.ts';
import type { Show } from './shows.ts';

/**
 * For each text that a viewer shows, what writes it. Viewers skip operators without a font or a string, and content may hold any number of
 * those. If the numbers differ, texts that occur once on both sides are paired first, and then the others between them.
 * @param texts their keys; see `keyOf`
 */
export function paired<Written extends Show>(
  texts: readonly string[],
  written: readonly Written[],
): (Written | undefined)[] {
  if (texts.length === written.length) return [...written];
  const [ofTexts, ofWritten] = [onceIn(texts.map((text) => [text])), onceIn(written.map(({ keys }) => keys))];
  const once = [...ofTexts].flatMap(([key, at]) => {
    const by = ofWritten.get(key);
    return by === undefined ? [] : [{ at, by }];
  });
  const anchors = longestRise(once, ({ by }) => by);
  const result: (Written | undefined)[] = [];
  let last = { at: -1, by: -1 };
  for (const anchor of [...once.filter((one) => anchors.has(one)), { at: texts.length, by: written.length }]) {
    let from = last.by + 1;
    for (const text of texts.slice(last.at + 1, anchor.at)) {
      const by = indexFrom(written, text, from, anchor.by);
      result.push(by < 0 ? undefined : written[by]);
      if (by >= 0) from = by + 1;
    }
    if (anchor.at < texts.length) result.push(written[anchor.by]);
    last = anchor;
  }
  return result;
}

/** Where the keys are that only one text has, in the order of the texts. */
function onceIn(texts: readonly (readonly string[])[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [at, keys] of texts.entries())
    for (const key of new Set(keys)) places.set(key, places.has(key) ? Number.NaN : at);
  return new Map([...places].filter(([, at]) => !Number.isNaN(at)));
}

/** Bounds the cost of content that repeats one text. */
const AHEAD = 500;

function indexFrom(written: readonly Show[], text: string, from: number, to: number): number {
  const at = written.slice(from, Math.min(to, from + AHEAD)).findIndex(({ keys }) => keys.includes(text));
  return at < 0 ? -1 : from + at;
}
