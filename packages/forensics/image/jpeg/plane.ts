import type { Component } from './jpeg.ts';

/** Levels of one channel of a picture, a block after the other, by rows. */
export interface Plane {
  /** In blocks of eight by eight samples. */
  across: number;
  down: number;
  /** Blocks a row in `levels`: a whole number of coded units, at least `across`. */
  stride: number;
  /** 64 levels a block, in the order of rows. */
  levels: Int16Array;
  /** What a level is worth. */
  steps: Uint16Array;
  component: Component;
}
