import { entry, listOf, nameOf, type PdfObject } from '../../pdf/objects.ts';
import { contentStreams } from '../../pdf/residue/content.ts';
import { type Structure, structureOf } from '../../pdf/structure.ts';
import { pagesIn, replacedContent } from '../../pdf/writing/replaced.ts';
import { otherStyles } from '../../pdf/writing/style.ts';
import { isUntouched, type Writer, writerIn } from '../../pdf/writing/writer.ts';
import { type Evidence, type Finding, type Rule, verdictOf } from '../../rule.ts';

const PAGES = 500;
const PARTS = 20;
/** A new version of a program may write one thing differently. */
const ENOUGH = 2;

/**
 * Every program has its own way of writing the bytes that the format leaves open. Two comparisons are made:
 *
 * - with the program that the file names as its Producer, if its way of writing is known: the comment that marks a file as binary, spaces
 * in dictionaries and their first keys, lengths of streams, strings, the order of objects, the form and predictor of the
 * cross-reference, the identifier, the library that wrote the XMP packet, and the texts and compression of pages;
 * - within the file, regardless of its Producer: dictionaries of pages and fonts with each other, texts of pages with those of other pages,
 * the compression of pages with that of fonts and other streams, and the library that compressed a page with the program that wrote it.
 *
 * A file written in the way of a program that only makes its own files does not name its real maker: medium. One written in the way of a
 * program that saves other people's files was saved again, as portals and websites do, and so, most likely, was one written in an unknown
 * way: both are context. A page written or compressed differently from the rest was inserted or changed later: medium if the last program
 * to save the file keeps page content, context otherwise.
 *
 * Known false positives: new versions of a program that write differently; a watermark by a program that rewrites the page.
 *
 * Source: `pdf/writing/producers-writing.ts`; ISO 32000-1, 7.5.2; RFC 1950 and 1951.
 */
export const writerFingerprint: Rule = {
  name: 'writer-fingerprint',
  version: 7,
  title: 'How the file is written against the program it names',
  strength: 'medium',
  family: 'structure',
  substance: true,
  appliesTo: ['pdf'],
  async run({ bytes }) {
    const structure = structureOf(bytes);
    const writer = writerIn(structure);
    const findings = [
      ...otherWriter(writer),
      ...inserted(structure, writer),
      ...(await replacedContent(structure, writer)),
      ...otherStyles(structure).map(styleFinding),
    ];
    const none =
      writer.producer === undefined
        ? 'The file names no program.'
        : 'It is not known how the named program writes files.';
    return verdictOf(findings, { count: writer.claimed === undefined ? 0 : 1, what: 'way of writing', none });
  },
};

function otherWriter(writer: Writer): Finding[] {
  const { producer = '', claimed, seen, comment, differences } = writer;
  if (claimed === undefined) return [];
  const details = { producer, seen: seen?.name ?? 'unknown' };
  const marks = differences.map(({ mark, usual, own }) => ({ before: usual, after: own, details: { mark } }));
  if (isUntouched(writer)) {
    const isTold = differences.length >= ENOUGH || differences.some(({ mark }) => mark === 'XMP packet');
    if (!isTold) return [];
    const what = differences.map(({ mark }) => mark).join(', ');
    const message = `Rewritten after its creation: the file says that ${producer} wrote it, but it is written differently (${what}).`;
    return [{ message, strength: 'context', evidence: marks.map((mark) => ({ offset: 0, ...mark })) }];
  }
  const message =
    seen?.savesAgain === true
      ? `Rewritten after its creation by ${seen.name}: the file says that ${producer} wrote it, and it is written the way ${seen.name} saves files again.`
      : `The file says that ${producer} wrote it, and it is written ${seen === undefined ? 'differently from that program’s files' : `the way ${seen.name} makes files`}.`;
  return [
    {
      message,
      strength: seen === undefined || seen.savesAgain === true ? 'context' : 'medium',
      evidence: [{ offset: 0, before: claimed.comment, after: comment, details }, ...marks],
    },
  ];
}

/** Pages whose data begin with another compression level than the named program always uses. */
function inserted(structure: Structure, writer: Writer): Finding[] {
  const view = structure.views[0] ?? structure.current;
  const { claimed } = writer;
  const level = claimed?.compressed;
  if (claimed === undefined || level === undefined || structure.encrypted || !isUntouched(writer)) return [];
  const evidence: Evidence[] = view
    .pages()
    .slice(0, PAGES)
    .flatMap((page, index) =>
      contentStreams(view, page, PARTS).flatMap((part) => {
        const begins = beginningOf(structure, part);
        if (begins === undefined || begins === level) return [];
        return [{ page: index + 1, offset: part.offset, before: level, after: begins }];
      }),
    );
  if (evidence.length === 0) return [];
  const message = `The content of page ${pagesIn(evidence)} was compressed by a program other than ${claimed.name}, which wrote the rest.`;
  return [{ message, evidence }];
}

/** In hex; only for Flate-compressed content. */
function beginningOf({ bytes }: Structure, { value, data }: PdfObject): string | undefined {
  const filter = entry(value, 'Filter');
  const name = nameOf(listOf(filter)?.[0] ?? filter);
  if (name !== 'FlateDecode' || data === undefined || data.end - data.start < 2) return undefined;
  return Buffer.from(bytes.subarray(data.start, data.start + 2)).toString('hex');
}

function styleFinding({ type, objects, own, usual }: ReturnType<typeof otherStyles>[number]): Finding {
  const [what, rest] = type === 'Page' ? ['pages', 'the other pages'] : ['fonts', 'the other fonts'];
  const numbers = objects.map(({ number }) => number).join(', ');
  return {
    message: `The ${what} in object ${numbers} come from a program other than the one that wrote ${rest}.`,
    strength: 'context',
    evidence: objects.map(({ offset, end }) => ({ offset, length: end - offset, before: usual, after: own })),
  };
}
