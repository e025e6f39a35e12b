import type { Component } from './jpeg.ts';

/** The levels of one channel of a picture, block by block, in rows. */
export interface Plane {
  /** In blocks of eight by eight samples. */
  across: number;
  down: number;
  /** Blocks per row in `levels`: a whole number of coded units, at least `across`. */
  stride: number;
  /** 64 levels per block, in row order. */
  levels: Int16Array;
  /** The value of a level, by position in the block. */
  steps: Uint16Array;
  component: Component;
}
