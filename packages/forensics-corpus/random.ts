/** Random choices that are reproducible for a seed. */
export interface Random {
  /** From 0 up to 1. */
  number(): number;
  /** Both ends included. */
  integer(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
  /** This many distinct items, in random order. */
  several<T>(list: readonly T[], count: number): T[];
  digits(count: number): string;
  letters(count: number): string;
  /** Roughly normal, mean 0, standard deviation 1. */
  bell(): number;
  /** A separate sequence, so that extra draws in one part do not change the others. */
  fork(name: string): Random;
}

export function randomOf(...parts: (string | number)[]): Random {
  const seed = hash(parts.join('/'));
  const number = numbersOf(seed);
  const integer = (from: number, to: number) => from + Math.floor(number() * (to - from + 1));
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new Error('Nothing to pick from.');
    // The element always exists, but may itself be undefined.
    return list[integer(0, list.length - 1)] as T;
  };
  const several = <T>(list: readonly T[], count: number): T[] => {
    const rest = [...list];
    return Array.from({ length: Math.min(count, list.length) }, () =>
      rest.splice(integer(0, rest.length - 1), 1),
    ).flat();
  };
  const word = (alphabet: string, count: number) => Array.from({ length: count }, () => pick([...alphabet])).join('');
  return {
    number,
    integer,
    pick,
    several,
    chance: (probability) => number() < probability,
    digits: (count) => word('0123456789', count),
    letters: (count) => word('ABCDEFGHJKLMNPRSTUVWXYZ', count),
    bell: () => number() + number() + number() + number() + number() + number() - 3,
    fork: (name) => randomOf(seed, name),
  };
}

/** Numbers from 0 up to 1 (mulberry32). */
export function numbersOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** FNV-1a over the characters. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return state;
}
