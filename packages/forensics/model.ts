/** A document as rules see it: several views, each read on first use. */

export type Kind = 'pdf' | 'jpeg' | 'png';

/** In points from the top left of the page as displayed; in pixels for a picture. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A run of text as the file draws it. */
export interface TextItem {
  text: string;
  box: Box;
  /** The font's name without its subset prefix; empty if unknown, as for OCR. */
  font: string;
  /** The page's resource name of the font. Unlike `font`, it distinguishes subsets and copies of one font. */
  fontId: string;
  /** In points. */
  fontSize: number;
  /** Painting order on the page, from 0. */
  order: number;
  /** OCR confidence from 0 to 100; absent for digital text. */
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
  /** In painting order. */
  items: TextItem[];
  /** From top to bottom. */
  lines: Line[];
  /** Redacted places. */
  redactions?: Box[];
  /** Skew of a scanned page in radians: its boxes are those of the picture rotated by this angle about its centre. */
  slope?: number;
}

/** RGB, three bytes a pixel. */
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
  /** Text by OCR: of a picture, or of the pages of a PDF without digital text. @throws Unreadable */
  pagesRead(): Promise<Page[]>;
  /** A picture's pixels, upright; or those of a page of a PDF, at `scale` pixels a point. @throws Unreadable */
  pixels(page?: number, scale?: number): Promise<Pixels>;
  /** One line of text by OCR from a part of a page. @throws Unreadable, also when OCR is off */
  textIn?(page: number, box: Box): Promise<string>;
}

/** The document, or a part that a rule needs, cannot be read. The message tells a caseworker why. */
export class Unreadable extends Error {}
