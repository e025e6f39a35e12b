/** What the engine looks at: one document, read in several ways, each of them when it is first asked for. */

export type Kind = 'pdf' | 'jpeg' | 'png';

/** In points of the page as it is shown, from its top left; of a picture in pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Text that stands together, as the file writes it. */
export interface TextItem {
  text: string;
  box: Box;
  /** The name of the font without its subset prefix; empty when it is not known, as in text read from a picture. */
  font: string;
  /** Unlike `font`, tells two subsets or two embedded copies of one font apart: the page's own name for it. */
  fontId: string;
  /** In points. */
  fontSize: number;
  /** In the order in which the page paints, from 0. */
  order: number;
  /** How sure the reader of a picture is, from 0 to 100; only of text read from a picture. */
  confidence?: number;
}

export interface Line {
  text: string;
  box: Box;
  /** From left to right. */
  items: TextItem[];
}

export interface Page {
  /** From 1. */
  number: number;
  width: number;
  height: number;
  /** In the order in which they are painted. */
  items: TextItem[];
  /** From top to bottom. */
  lines: Line[];
  /** In radians, of a page read from a picture whose lines slope: its boxes are those of the picture turned by so much about its middle. */
  slope?: number;
}

/** Pixels, three bytes each: red, green, blue. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

export interface Document {
  readonly name: string;
  readonly kind: Kind;
  readonly bytes: Uint8Array;
  /** The digital text of a PDF, page by page; no pages for a picture. @throws Unreadable */
  pages(): Promise<Page[]>;
  /** What is written in pictures: of a picture, and of those pages of a PDF that have no text. @throws Unreadable */
  pagesRead(): Promise<Page[]>;
  /** A picture's pixels, upright; of a PDF those of a page, at so many pixels a point. @throws Unreadable */
  pixels(page?: number, scale?: number): Promise<Pixels>;
}

/** The document, or the part that a rule needs, cannot be read. The message says why, for a caseworker. */
export class Unreadable extends Error {}
