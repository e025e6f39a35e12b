/** The cosine transform of eight by eight blocks (ITU-T T.81 A.3.3), in both directions, on 64 numbers by rows. */

/** Row: frequency; column: position. */
const BASIS = Float64Array.from({ length: 64 }, (_, index) => {
  const [frequency, place] = [index >> 3, index & 7];
  return (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * place + 1) * frequency * Math.PI) / 16);
});
const TURNED = Float64Array.from({ length: 64 }, (_, index) => BASIS[(index & 7) * 8 + (index >> 3)] ?? 0);

/** Samples to coefficients, in place. */
export function transform(block: Float64Array): void {
  multiply(BASIS, block);
}

/** Coefficients to samples, in place. */
export function transformBack(block: Float64Array): void {
  multiply(TURNED, block);
}

const between = new Float64Array(64);

/** matrix * block * transposed matrix, in place. */
function multiply(matrix: Float64Array, block: Float64Array): void {
  for (let row = 0; row < 64; row += 8) {
    const [a = 0, b = 0, c = 0, d = 0] = [block[row], block[row + 1], block[row + 2], block[row + 3]];
    const [e = 0, f = 0, g = 0, h = 0] = [block[row + 4], block[row + 5], block[row + 6], block[row + 7]];
    for (let to = 0; to < 8; to++) between[row + to] = dot(matrix, to * 8, a, b, c, d, e, f, g, h);
  }
  for (let column = 0; column < 8; column++) {
    const [a = 0, b = 0, c = 0, d = 0] = [
      between[column],
      between[column + 8],
      between[column + 16],
      between[column + 24],
    ];
    const [e = 0, f = 0, g = 0, h = 0] = [
      between[column + 32],
      between[column + 40],
      between[column + 48],
      between[column + 56],
    ];
    for (let to = 0; to < 8; to++) block[to * 8 + column] = dot(matrix, to * 8, a, b, c, d, e, f, g, h);
  }
}

function dot(
  matrix: Float64Array,
  at: number,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  g: number,
  h: number,
): number {
  return (
    (matrix[at] ?? 0) * a +
    (matrix[at + 1] ?? 0) * b +
    (matrix[at + 2] ?? 0) * c +
    (matrix[at + 3] ?? 0) * d +
    (matrix[at + 4] ?? 0) * e +
    (matrix[at + 5] ?? 0) * f +
    (matrix[at + 6] ?? 0) * g +
    (matrix[at + 7] ?? 0) * h
  );
}
