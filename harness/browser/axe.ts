import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** A violated accessibility rule, with the elements that violate it. */
export type Barrier = Pick<axe.Result, 'id' | 'impact' | 'nodes'>;

/** The other rules judge the document, which has one form for all colours. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface Scope {
  /** All rules of axe by default. */
  rules?: readonly string[];
  /** A selector; the whole page by default. */
  within?: string;
}

const SETTLED = `Promise.all(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished)).then(() => {})`;

/**
 * Checks a page for accessibility barriers. The page must have no frames of another origin. Loading axe takes longer than a check, so a document
 * keeps it for later checks; only the violations leave the page.
 */
export async function barriersOn(page: Page, { rules, within }: Scope = {}): Promise<Barrier[]> {
  for (const frame of page.frames())
    if (!(await frame.evaluate<boolean>("typeof axe === 'object'"))) await frame.evaluate(axe.source);
  // Halfway through a transition of colours, contrasts are neither the old nor the new.
  await page.evaluate(SETTLED);
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    ...(rules ? { runOnly: { type: 'rule', values: [...rules] } } : {}),
  };
  const scope = within === undefined ? 'document' : JSON.stringify(within);
  return page.evaluate<Barrier[]>(`axe.run(${scope}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html, target }) => ({ html, target })) })))`);
}

/** One line for each violated rule. */
export function described(barriers: readonly Barrier[]): string[] {
  return barriers.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
