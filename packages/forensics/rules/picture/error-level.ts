import { notApplicable, type Rule } from '../../rule.ts';

/**
 * Stands for the error-level picture (image/error-level.ts), which shows what saving once more would change, for visual inspection. It
 * decides nothing and makes no findings, because letters, edges and strong colours stand out in genuine pictures as much as in changed
 * ones.
 *
 * Known false positives: none, because it makes no findings.
 *
 * Source: N. Krawetz, "A Picture's Worth" (2007); for why it must not score, J. Fridrich et al. and Farid's JPEG ghosts (2009).
 */
export const errorLevel: Rule = {
  name: 'error-level',
  version: 1,
  title: 'Error levels, for looking at',
  strength: 'context',
  family: 'image',
  substance: false,
  appliesTo: ['jpeg', 'png'],
  run: () => notApplicable('Error levels are drawn for people to look at; they decide nothing.'),
};
