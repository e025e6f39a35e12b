import type { Box, Document, Page } from '../model.ts';
import { unturned } from '../ocr/turn.ts';
import type { Evidence, Finding } from '../rule.ts';

const FINDINGS = 5;
const PLACES = 8;
/** Relative to the height of the print. */
const ROOM = 1;
/** The scale at which `open-document.ts` draws pages for OCR. */
const PIXELS_A_POINT = 2.5;

/** A part of a page, and what was read there. */
export interface PartOfPage {
  page: number;
  box: Box;
  text: string;
}

/**
 * Weakens strong findings in OCR text. The places they rest on are read twice more, larger. A finding is `medium` when every reading
 * agrees, and is dropped when one of them reads the expected value. Otherwise it is context, and so is one that would be uncertain even in
 * digital text. So OCR text never decides alone.
 */
export async function weighed(
  document: Document,
  pages: readonly Page[],
  findings: readonly Finding[],
): Promise<Finding[]> {
  const kept: Finding[] = [];
  for (const finding of findings.slice(0, FINDINGS)) {
    const places = finding.evidence.flatMap((place) => partOf(place) ?? []).slice(0, PLACES);
    const readings = await readAgain(document, pages, places);
    const wanted = finding.evidence.flatMap(({ before }) => before ?? []);
    const isRefuted = readings.flat().some((text) => wanted.some((right) => same(text, right)));
    if (isRefuted) continue;
    const isSure = (finding.strength ?? 'strong') === 'strong' && allAgree(places, readings);
    kept.push(seenOnPicture({ ...finding, strength: isSure ? 'medium' : 'context' }, pages));
  }
  return kept;
}

/** Findings in OCR text, as context only. */
export function forPeople(pages: readonly Page[], findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => seenOnPicture({ ...finding, strength: 'context' }, pages));
}

/** Whether two more readings at a larger size agree. */
export async function readsAlike(
  document: Document,
  pages: readonly Page[],
  places: readonly PartOfPage[],
): Promise<boolean> {
  return allAgree(places, await readAgain(document, pages, places));
}

/** With the boxes of a rotated picture where viewers see them. */
export function seenOnPicture(finding: Finding, pages: readonly Page[]): Finding {
  const evidence = finding.evidence.map((place) => {
    const page = pages.find(({ number }) => number === place.page);
    return page === undefined || place.box === undefined ? place : { ...place, box: unturned(place.box, page) };
  });
  return { ...finding, evidence };
}

function partOf({ page = 1, box, after }: Evidence): PartOfPage | undefined {
  return box === undefined || after === undefined ? undefined : { page, box, text: after };
}

async function readAgain(
  document: Document,
  pages: readonly Page[],
  places: readonly PartOfPage[],
): Promise<string[][]> {
  const { readParts } = await import('../ocr/read-picture.ts');
  const readings: string[][] = [];
  for (const { page: number, box, text } of places) {
    const page = pages.find((one) => one.number === number);
    if (page === undefined) return [];
    const pixels = await document.pixels(number, document.kind === 'pdf' ? PIXELS_A_POINT : 1);
    const part = { box: times(unturned(withRoom(box), page), pixels.width / page.width), text };
    readings.push(...(await readParts(pixels, [part])));
  }
  return readings;
}

/** OCR may have dropped thousands that stand apart; with them the number is different. */
function withRoom({ x, y, width, height }: Box): Box {
  const room = ROOM * height;
  return { x: x - room, y, width: width + room, height };
}

function allAgree(places: readonly PartOfPage[], readings: readonly (readonly string[])[]): boolean {
  return (
    places.length > 0 && places.every(({ text }, index) => (readings[index] ?? ['']).every((read) => same(read, text)))
  );
}

/** The same letters and figures. */
function same(one: string, other: string): boolean {
  const bare = (text: string) => text.toUpperCase().replace(/[^A-Z0-9<]/g, '');
  return bare(one) === bare(other);
}

function times({ x, y, width, height }: Box, factor: number): Box {
  return { x: x * factor, y: y * factor, width: width * factor, height: height * factor };
}
