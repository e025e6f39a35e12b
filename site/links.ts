import MarkdownIt from 'markdown-it';
import { REFERENCE, referenceFragments } from './addresses.ts';
import type { Contract } from './contract.ts';

/** One sentence for each dead link. @param descriptions Markdown of the contract, rendered by the reference */
export function linkFaults(
  files: ReadonlyMap<string, { content: Buffer }>,
  contract: Contract,
  descriptions: readonly string[],
): string[] {
  const pages = [...files].filter(([path]) => path.endsWith('.html'));
  const texts = pages.map(([path, { content }]): [string, string] => [path, content.toString()]);
  const fragments = new Map(texts.map(([path, text]) => [path, valuesOf(text, 'id')]));
  fragments.set(REFERENCE, (fragments.get(REFERENCE) ?? new Set()).union(referenceFragments(contract)));
  const drawn = descriptions.map((text): [string, string] => [REFERENCE, new MarkdownIt({ html: true }).render(text)]);
  return [...texts, ...drawn].flatMap(([page, text]) =>
    [...valuesOf(text, 'href').union(valuesOf(text, 'src'))]
      .filter((link) => !/^[a-z][a-z+.-]*:/i.test(link))
      .flatMap((link) => {
        const [target, fragment] = link.split('#');
        const path = target || page;
        if (!files.has(path)) return [`${page}: the link to ${link} leads nowhere.`];
        const known = fragment === undefined || fragments.get(path)?.has(decoded(fragment));
        return known ? [] : [`${page}: the link to ${link} names a place that ${path} does not have.`];
      }),
  );
}

/** Decodes a fragment as browsers do: a stray percent sign is kept. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function valuesOf(html: string, attribute: 'id' | 'href' | 'src'): Set<string> {
  return new Set([...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) => value));
}
