/** The tables that compressed a JPEG, and what they say about the program. */

/** ITU-T T.81 tables K.1 and K.2, by rows: brightness and colour at quality 50 of the Independent JPEG Group's library. */
const BRIGHTNESS = table(
  '16 11 10 16 24 40 51 61 12 12 14 19 26 58 60 55 14 13 16 24 40 57 69 56 14 17 22 29 51 87 80 62 ' +
    '18 22 37 56 68 109 103 77 24 35 55 64 81 104 113 92 49 64 78 87 103 121 120 101 72 92 95 98 112 100 103 99',
);
const COLOUR = table(
  '17 18 24 47 99 99 99 99 18 21 26 66 99 99 99 99 24 26 56 99 99 99 99 99 47 66 99 99 99 99 99 99 ' +
    `${'99 '.repeat(32)}`,
);

interface Quality {
  /** From 1 to 100, on the scale of the Independent JPEG Group. */
  quality: number;
  /** Whether the tables are exactly those of its library at that quality, which most programs use. */
  standard: boolean;
}

/** The nearest standard tables. Unknown steps, which are 0, do not count. */
export function qualityOf(brightness: ArrayLike<number>, colour?: ArrayLike<number>): Quality {
  let best = { quality: 0, distance: Number.POSITIVE_INFINITY };
  for (let quality = 1; quality <= 100; quality++) {
    const distance = distanceOf(brightness, BRIGHTNESS, quality) + (colour ? distanceOf(colour, COLOUR, quality) : 0);
    if (distance < best.distance) best = { quality, distance };
  }
  return { quality: best.quality, standard: best.distance === 0 };
}

/** Relative to the steps, because 1 and 2 differ more than 51 and 52. */
function distanceOf(known: ArrayLike<number>, base: readonly number[], quality: number): number {
  let distance = 0;
  for (const [index, value] of base.entries()) {
    const step = known[index] ?? 0;
    const standard = scaled(value, quality);
    if (step !== 0) distance += Math.abs(step - standard) / (step + standard);
  }
  return distance;
}

function scaled(value: number, quality: number): number {
  const scale = quality < 50 ? Math.floor(5000 / quality) : 200 - 2 * quality;
  return Math.max(1, Math.min(255, Math.floor((value * scale + 50) / 100)));
}

function table(text: string): number[] {
  return text.trim().split(/\s+/).map(Number);
}
