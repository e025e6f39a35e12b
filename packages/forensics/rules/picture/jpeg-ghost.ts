import { dimensionsOf } from '../../image/dimensions.ts';
import { type GhostSearch, ghostsInJpeg, ghostsInPixels } from '../../image/ghost/ghost.ts';
import type { Ghost } from '../../image/ghost/places.ts';
import { boxOnPage, jpegsOfPages, type PageJpeg } from '../../image/in-pdf.ts';
import { uprightBox } from '../../image/orientation.ts';
import { type Box, type Document, Unreadable } from '../../model.ts';
import { type Finding, notApplicable, type Rule, type Verdict, verdictOf } from '../../rule.ts';

/** These take 300 MB of memory if colour has the same resolution as brightness. */
const PIXELS = 16_000_000;
const PLACES = 5;

/**
 * A picture that was a JPEG, was opened, changed in one place and saved again still shows the quantisation steps of the first save almost
 * everywhere. What was typed, painted or pasted in between does not: it was absent from the first save, or lay on another grid. The steps
 * of the first save are found from the histograms of the coefficients (on the grid of the last save; after cropping, and in a PNG, on
 * whichever of the 64 grids fits). Then each block is tested against them. The blocks that do not fit must lie together, be many and be
 * clear, and nearly all others must fit.
 *
 * Excluded are blocks with too little content, blocks near white, black or a saturated colour (where decoding clips values), blocks that
 * vary in one direction only, and places that lie along an edge or are the only content up to an edge (bars of a screenshot, two pictures
 * joined).
 *
 * In a PDF, the large JPEGs that its pages show are examined as embedded.
 *
 * It finds nothing if the last save was coarser than the first, if the picture was scaled down afterwards (as messengers do), on pages of
 * pure white (born digital, or scanned with the paper set to white), or in what was edited before the first save.
 *
 * Known false positives: text that an app adds when it saves a picture (a date, "scanned with"); arrows, black bars and signatures that
 * were added openly.
 *
 * Source: H. Farid, "Exposing Digital Forgeries from JPEG Ghosts", IEEE TIFS 4(1), 2009; T. Bianchi and A. Piva, "Image Forgery
 * Localization via Block-Grained Analysis of JPEG Artifacts", IEEE TIFS 7(3), 2012; the exclusions are own reasoning, and measured.
 */
export const jpegGhost: Rule = {
  name: 'jpeg-ghost',
  version: 1,
  title: 'Parts of the picture that were not saved together with the rest',
  strength: 'medium',
  family: 'image',
  substance: true,
  appliesTo: ['jpeg', 'png', 'pdf'],
  run: (document) => (document.kind === 'pdf' ? runOnPdf(document.bytes) : runOnPicture(document)),
};

async function runOnPicture(document: Document): Promise<Verdict> {
  const { width, height } = dimensionsOf(document.bytes);
  if (width * height > PIXELS) return notApplicable('The picture is too large for this check.');
  const search = await searchOf(document);
  if (search === undefined) return notApplicable('The picture shows no traces of having been saved as a JPEG before.');
  // The pixels of a PNG are upright already.
  const { exifOf } = await import('../../image/pixels.ts');
  const { orientation } = document.kind === 'jpeg' ? await exifOf(document.bytes) : { orientation: 1 };
  const ghosts = search.ghosts.slice(0, PLACES);
  return verdictOf(
    ghosts.map((ghost) => finding(ghost, search, { page: 1, box: uprightBox(ghost.box, width, height, orientation) })),
    { count: 1, what: 'picture' },
  );
}

/** Examines the JPEGs embedded unchanged in a PDF, which are decoded here without native code. */
async function runOnPdf(bytes: Uint8Array): Promise<Verdict> {
  const pictures = jpegsOfPages(bytes);
  if (pictures.length === 0) return notApplicable('No page shows a large photo or scan that is kept as a JPEG.');
  const searches = pictures.map((picture) => ({ picture, search: searchWithin(picture) }));
  if (searches.every(({ search }) => search === undefined))
    return notApplicable('The pictures show no traces of having been saved as a JPEG before.');
  const findings: Finding[] = [];
  for (const { picture, search } of searches) {
    for (const ghost of search?.ghosts.slice(0, PLACES) ?? []) {
      const box = await boxOnPage(bytes, picture, ghost.box);
      const place = { page: picture.page, ...(box === undefined ? {} : { box }) };
      if (search !== undefined) findings.push(finding(ghost, search, place));
    }
  }
  const count = searches.filter(({ search }) => search !== undefined).length;
  return verdictOf(findings, { count, what: 'picture' });
}

/** A damaged picture says nothing about the others. */
function searchWithin({ bytes }: PageJpeg): GhostSearch | undefined {
  try {
    return ghostsInJpeg(bytes);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/**
 * For measurements: how strongly a place contradicts the rest, in nats, whether or not it would be a finding (from about 40); 0 if there is
 * none or the rule is not applicable. @throws Unreadable
 */
export async function ghostScore(document: Document): Promise<number> {
  if (document.kind !== 'pdf') return (await searchOf(document))?.score ?? 0;
  const scores = jpegsOfPages(document.bytes).map((picture) => searchWithin(picture)?.score ?? 0);
  return Math.max(0, ...scores);
}

async function searchOf(document: Document): Promise<GhostSearch | undefined> {
  return document.kind === 'png' ? ghostsInPixels(await document.pixels()) : ghostsInJpeg(document.bytes);
}

function finding(ghost: Ghost, { earlierQuality }: GhostSearch, place: { page: number; box?: Box }): Finding {
  const { blocks, lacking, evidence, restEvidence, score } = ghost;
  return {
    message:
      'A part of the picture lacks the traces of an earlier save that nearly all of the rest shows, as when it is put in or changed afterwards.',
    evidence: [
      {
        ...place,
        before: `saved before at a quality of about ${earlierQuality}`,
        after: 'no trace of that',
        details: {
          blocks,
          blocks_without_traces: lacking,
          evidence_in_place: rounded(evidence),
          evidence_in_rest: rounded(restEvidence),
          score: Math.round(score),
        },
      },
    ],
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
