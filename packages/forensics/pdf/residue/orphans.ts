import { Unreadable } from '../../model.ts';
import type { Evidence, Finding } from '../../rule.ts';
import { findingsOf } from '../diff/findings.ts';
import { pageStates } from '../diff/states.ts';
import type { PdfObject } from '../objects.ts';
import type { Structure } from '../structure.ts';
import { withContent } from './content.ts';
import { unusedContents } from './unused.ts';

const COMPARED = 4;
/** With more changes, it is more likely another page with the same layout. */
const CHANGES = 10;

/**
 * Content that no page draws any more and that nearly equals what a page shows now: programs that rewrite a file often keep
 * unreferenced objects. Reads both and reports the differences. Content that a revision draws, and that of removed pages, does not
 * count.
 */
export async function formerContent(structure: Structure): Promise<Finding[]> {
  const orphans = unusedContents(structure);
  if (orphans.length === 0) return [];
  const now = await pageStates(structure.bytes);
  const findings: Finding[] = [];
  const pages = structure.current.pages();
  for (const { stream, data, page } of orphans.slice(0, COMPARED)) {
    const object = pages[page];
    const former = object && withContent(structure, object, data);
    const before = former && (await stateOf(former, page));
    const after = now[page];
    if (before === undefined || after === undefined) continue;
    const changes = findingsOf({ before, after }, []).filter(({ key }) => !key.endsWith(' replaced'));
    if (changes.length <= CHANGES) findings.push(...changes.map((change) => seenIn(stream, change)));
  }
  return findings;
}

async function stateOf(bytes: Uint8Array, page: number) {
  try {
    return (await pageStates(bytes))[page];
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function seenIn({ number, offset, end }: PdfObject, { message, strength, evidence }: Finding): Finding {
  const place = (own: Evidence): Evidence => ({
    ...own,
    offset,
    length: end - offset,
    details: { unused_object: number },
  });
  return {
    message: message.replace('an earlier version of the file', 'content that is left in the file unused'),
    ...(strength === undefined ? {} : { strength }),
    evidence: evidence.map(place),
  };
}
