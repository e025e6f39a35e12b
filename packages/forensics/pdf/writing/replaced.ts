import { Unreadable } from '../../model.ts';
import type { Evidence, Finding } from '../../rule.ts';
import { dictionaryOf, type PdfObject } from '../objects.ts';
import type { Structure } from '../structure.ts';
import { readPages } from '../text/read-pages.ts';
import { compressionsOf } from './compression.ts';
import { isOfMuPdf, type OtherTexts, otherTexts, pagesApart } from './texts.ts';
import { isUntouched, type Writer } from './writer.ts';

/** Findings about page content that was replaced after the file was made, by how it is compressed and written. */
export async function replacedContent(structure: Structure, writer: Writer): Promise<Finding[]> {
  return [
    ...(await compressedAgain(structure, writer)),
    ...writtenAgain(structure, writer),
    ...(await apart(structure)),
  ];
}

async function compressedAgain(structure: Structure, writer: Writer): Promise<Finding[]> {
  const { recompressed, byScript } = await compressionsOf(structure);
  const findings: Finding[] = [];
  if (recompressed.length > 0) {
    const isReplaced = recompressed.some(
      ({ isWhole, stream }) =>
        isWhole && isKept(writer, stream) && !isOfMuPdf(structure.decoded(stream) ?? new Uint8Array()),
    );
    findings.push({
      message: `The content of page ${pagesIn(recompressed)} was compressed by a different program, or at a different level, from the fonts and the rest of the file.`,
      strength: isUntouched(writer) || isReplaced ? 'medium' : 'context',
      evidence: recompressed.map(({ page, stream, own, usual }) => ({
        page,
        offset: stream.offset,
        before: usual,
        after: own,
      })),
    });
  }
  if (byScript.length > 0)
    findings.push({
      message: `The content of page ${pagesIn(byScript)} was written by one program and compressed by another (with fflate, a library of JavaScript programs).`,
      evidence: byScript.map(({ page, stream, own }) => ({ page, offset: stream.offset, after: own })),
    });
  return findings;
}

/** Whether the program that saved the file found a stream compressed as it is. */
function isKept({ seen }: Writer, { value }: PdfObject): boolean {
  if (seen?.keepsStreams === undefined) return false;
  const keys = [...(dictionaryOf(value)?.entries.keys() ?? [])];
  return seen.keepsStreams === 'all' || keys.indexOf('Filter') < keys.indexOf('Length');
}

function writtenAgain(structure: Structure, writer: Writer): Finding[] {
  const { claimed, seen } = writer;
  if (claimed?.texts === undefined) return [];
  const pages = otherTexts(structure, claimed.texts);
  if (pages.length === 0) return [];
  const isOnly = isUntouched(writer) || seen?.keepsStreams !== undefined;
  return [
    {
      message: `The content of page ${pagesIn(pages)} was rewritten by a program other than ${claimed.name}, which the file names.`,
      strength: isOnly && !pages.every((page) => page.isOfMuPdf) ? 'medium' : 'context',
      evidence: pages.flatMap(evidenceOfTexts),
    },
  ];
}

/** Redacting a page writes it again. */
async function apart(structure: Structure): Promise<Finding[]> {
  const pages = pagesApart(structure);
  const redacted = pages.length === 0 ? undefined : await redactedPages(structure.bytes);
  const odd = pages.filter(({ page }) => redacted?.has(page) === false);
  if (odd.length === 0) return [];
  return [
    {
      message: `The content of page ${pagesIn(odd)} was written by a different program from the other pages, which use the same fonts.`,
      strength: odd.every((page) => page.isOfMuPdf) ? 'context' : 'medium',
      evidence: odd.flatMap(evidenceOfTexts),
    },
  ];
}

/** Undefined if the pages cannot be read. */
async function redactedPages(bytes: Uint8Array): Promise<Set<number> | undefined> {
  try {
    const pages = await readPages(bytes);
    return new Set(pages.filter(({ redactions = [] }) => redactions.length > 0).map(({ number }) => number));
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function evidenceOfTexts({ page, offset, differences }: OtherTexts): Evidence[] {
  return differences.map(({ habit, usual, own }) => ({ page, offset, before: usual, after: own, details: { habit } }));
}

export function pagesIn(evidence: readonly { page?: number }[]): string {
  return [...new Set(evidence.map(({ page }) => page))].slice(0, 10).join(', ');
}
