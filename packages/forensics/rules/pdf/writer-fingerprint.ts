import { entry, listOf, nameOf, type PdfObject } from '../../pdf/objects.ts';
import { type Structure, structureOf } from '../../pdf/structure.ts';
import { type Writer, writerIn } from '../../pdf/writer.ts';
import { type Evidence, type Finding, notApplicable, type Rule, verdictOf } from '../../rule.ts';

const PAGES = 500;

/**
 * Every program has its own way of writing the bytes that the format leaves open. The comment that marks a file as binary is
 * one that a program never changes, and the level at which it compresses pages another. They are compared with the ways of
 * the program that the file names as its Producer, for the programs of which files were made and looked at.
 *
 * Written the way of a program that only makes files of its own, the name in the file is not that of its maker. Written the
 * way of one that saves other people's files, it was saved again, as portals and websites do, and so it was, most likely, where
 * the way is not known: both are context. A page compressed as its maker never does was inserted later.
 *
 * Known false positives: new versions of a program that write otherwise.
 *
 * Source: own measurements on files of each program, see `pdf/producers-writing.ts`; ISO 32000-1, 7.5.2; RFC 1950.
 */
export const writerFingerprint: Rule = {
  name: 'writer-fingerprint',
  version: 1,
  title: 'How the file is written against the program it names',
  strength: 'medium',
  family: 'structure',
  appliesTo: ['pdf'],
  run({ bytes }) {
    const structure = structureOf(bytes);
    const writer = writerIn(structure);
    if (writer.producer === undefined) return notApplicable('The file names no program.');
    if (writer.claimed === undefined) return notApplicable('It is not known how the named program writes files.');
    if (!writer.comment.startsWith(writer.claimed.comment)) return verdictOf([otherWriter(writer)]);
    return verdictOf(otherCompression(structure, writer));
  },
};

function otherWriter({ producer = '', claimed, seen, comment }: Writer): Finding {
  const as = seen?.savesAgain === true ? `the way ${seen.name} saves files again` : `the way ${seen?.name} makes files`;
  const how = seen === undefined ? 'otherwise than that program does' : as;
  return {
    message: `The file says that ${producer} wrote it, and it is written ${how}.`,
    strength: seen === undefined || seen.savesAgain === true ? 'context' : 'medium',
    evidence: [
      {
        offset: 0,
        before: claimed?.comment ?? '',
        after: comment,
        details: { producer, seen: seen?.name ?? 'unknown' },
      },
    ],
  };
}

function otherCompression(structure: Structure, { claimed }: Writer): Finding[] {
  const view = structure.views[0] ?? structure.current;
  const level = claimed?.compressed;
  if (claimed === undefined || level === undefined || structure.encrypted) return [];
  const evidence: Evidence[] = view
    .pages()
    .slice(0, PAGES)
    .flatMap((page, index) => {
      const contents = entry(page.value, 'Contents');
      const parts = (listOf(view.resolve(contents)) ?? [contents]).slice(0, 20).map((part) => view.referred(part));
      return parts.flatMap((part) => {
        const begins = part && beginningOf(structure, part);
        if (part === undefined || begins === undefined || begins === level) return [];
        return [{ page: index + 1, offset: part.offset, before: level, after: begins }];
      });
    });
  if (evidence.length === 0) return [];
  const pages = [...new Set(evidence.map(({ page }) => page))].slice(0, 10).join(', ');
  return [
    {
      message: `What stands on page ${pages} was compressed by another program than ${claimed.name}, which wrote the rest.`,
      evidence,
    },
  ];
}

/** In hex; of content that is compressed the usual way. */
function beginningOf({ bytes }: Structure, { value, data }: PdfObject): string | undefined {
  const filter = entry(value, 'Filter');
  const name = nameOf(listOf(filter)?.[0] ?? filter);
  if (name !== 'FlateDecode' || data === undefined || data.end - data.start < 2) return undefined;
  return Buffer.from(bytes.subarray(data.start, data.start + 2)).toString('hex');
}
