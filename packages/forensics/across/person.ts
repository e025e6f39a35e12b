import type { Claim } from '../claims.ts';
import { likeness } from '../content/claims/likeness.ts';
import type { Finding } from '../rule.ts';
import { at, between, type CrossRule, claimOf, claimsOf, type OwnedPaper, pairsOf } from './paper.ts';

/** Whether the documents are about one person. */

/**
 * How: compares the words of names beside labels, above addresses and after titles, ignoring accents, order, titles and initials. Documents
 * contradict each other if no name of one has a word in common with a name of the other; names with some in common, as after a marriage,
 * are context. One of two account holders must be the applicant.
 *
 * Known false positives: a completely changed name; a document that names others only.
 *
 * Source: own reasoning.
 */
export const names: CrossRule = {
  name: 'one-name',
  version: 2,
  title: 'Names',
  strength: 'medium',
  run(papers) {
    const named = papers.filter((paper) => claimOf(paper, 'name'));
    if (named.length < 2) return undefined;
    return pairsOf(named).flatMap(([one, other]) => namesDiffer(one, other));
  },
};

function namesDiffer(one: OwnedPaper, other: OwnedPaper): Finding[] {
  const [own, theirs] = [claimsOf(one, 'name'), claimsOf(other, 'name')];
  const pairs = own.flatMap((name) =>
    theirs.map((their) => ({ name, their, likeness: likeness(name.value, their.value) })),
  );
  const best = pairs.sort((left, right) => right.likeness - left.likeness)[0];
  if (best === undefined || best.likeness === 2) return [];
  const message = `The name reads ${best.name.text} in ${one.name} and ${best.their.text} in ${other.name}.`;
  const evidence = [at(one, best.name), at(other, best.their)];
  return [
    between([one, other], { message, evidence, ...(best.likeness === 1 ? { strength: 'context' as const } : {}) }),
  ];
}

/** Context only: people move, and a bank may not know. */
export const addresses: CrossRule = {
  name: 'one-address',
  version: 1,
  title: 'Addresses',
  strength: 'context',
  run: (papers) => compared(papers, 'place', 'The postcode'),
};

/**
 * A person has one date of birth and one number of each kind.
 *
 * How: compares labelled numbers of the same kind whose check digits are valid; if a document has several, as for two holders, one in
 * common is enough. Numbers of companies are left out.
 *
 * Known false positives: a foreigner's number replaced by a citizen's; documents of two persons of one household.
 *
 * Source: own reasoning; the authorities' rules, see `content/ids/national-ids.ts`.
 */
export const identityNumbers: CrossRule = {
  name: 'one-identity',
  version: 1,
  title: 'Dates of birth, identity and social security numbers',
  strength: 'medium',
  run(papers) {
    const born = compared(papers, 'born', 'The date of birth');
    const kinds = [...new Set(papers.flatMap((paper) => claimsOf(paper, 'id').map(({ words }) => words ?? '')))];
    const ids = kinds.map((kind) => {
      const own = papers.map((paper) => ({
        ...paper,
        claims: paper.claims.filter((claim) => claim.kind === 'id' && claim.words === kind),
      }));
      return compared(own, 'id', `The ${kind}`);
    });
    const found = [born, ...ids].filter((one) => one !== undefined);
    return found.length === 0 ? undefined : found.flat();
  },
};

/** One finding for each pair of papers without a value in common. */
function compared(papers: readonly OwnedPaper[], kind: Claim['kind'], what: string): Finding[] | undefined {
  const having = papers.filter((paper) => claimOf(paper, kind));
  if (having.length < 2) return undefined;
  return pairsOf(having).flatMap(([one, other]) => {
    const [own, theirs] = [claimsOf(one, kind), claimsOf(other, kind)];
    const [left, right] = [own[0], theirs[0]];
    if (left === undefined || right === undefined) return [];
    if (own.some((value) => theirs.some((their) => keyOf(their) === keyOf(value)))) return [];
    const message = `${what} reads ${left.text} in ${one.name} and ${right.text} in ${other.name}.`;
    return [between([one, other], { message, evidence: [at(one, left, right.text), at(other, right, left.text)] })];
  });
}

/** The day and month of birth may be in either order. */
function keyOf({ kind, value }: Claim): string {
  const [year = '', ...rest] = value.split('-');
  return kind === 'born' ? [year, ...rest.toSorted()].join('-') : value;
}
