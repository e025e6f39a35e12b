/** A page that is written in Markdown. */
export interface Source {
  /** From the top of the repository. */
  file: string;
  /** Its address in the site. */
  path: string;
  /** Whether its tables need the room beside the text. */
  wide?: true;
}

const guide = (name: string): Source => ({ file: `docs/guides/${name}.md`, path: `${name}.html` });

/** In the order in which they are read. */
export const guides: Source[] = [
  'first-call',
  'life-cycle',
  'webhooks',
  'kyc-iframe',
  'eid',
  'errors',
  'sandbox',
  'mocking',
  'going-live',
].map(guide);

export const openPoints: Source = { file: 'docs/open-points.md', path: 'open-points.html', wide: true };
export const changelog: Source = { file: 'docs/contract/CHANGELOG.md', path: 'changelog.html' };

export const sources: Source[] = [...guides, openPoints, changelog];
