import type { Box } from '../model.ts';
import type { Strength } from '../rule.ts';
import type { Markup } from './markup.ts';

/** How a report shows a document's pages: drawn in the report itself, or as pictures with their own URLs. */
export interface ShownPages {
  pages: readonly ShownPage[];
  /** A place with its surroundings; undefined if it is not drawn or covers most of the page. */
  enlarged(place: ShownPlace): Markup | undefined;
}

export interface ShownPage {
  isMarked: boolean;
  figure: Markup;
}

export interface ShownPlace {
  page: number;
  box: Box;
  strength: Strength;
  /** For screen readers. */
  label: string;
}
