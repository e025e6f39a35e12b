import { type Editor, editorNamed } from '../../image/editors.ts';
import { type Exif, exifTime } from '../../image/exif.ts';
import type { Jpeg } from '../../image/jpeg/jpeg.ts';
import { qualityOf } from '../../image/jpeg/quantisation.ts';
import { type Origin, originOf } from '../../image/origin.ts';
import { type Finding, notApplicable, type Rule, verdictOf } from '../../rule.ts';

/** Tolerance for wrong clocks and time zones. */
const DAYS = 2;
const DAY_MS = 86_400_000;

/**
 * Compares the camera that a file names with what else the file states: the programs named in Exif, XMP and its history, its dates, its
 * size, and its quantisation tables. A retouching program is medium. Everything else is context, because saving a picture again does not
 * imply changing it.
 *
 * Messengers strip these metadata, so most genuine pictures state nothing. A phone's own gallery names the phone as the program and is no
 * finding.
 *
 * Known false positives: a genuine photo that was cropped or brightened in a retouching program; a scanner bundled with one.
 *
 * Source: CIPA DC-008 (Exif 2.32); ISO 16684-1 (XMP); H. Farid, "Digital Image Ballistics from JPEG Quantization" (2006), for
 * distinguishing cameras from programs by tables; that iPhones do not use the tables of the Independent JPEG Group: own observation.
 */
export const cameraClaims: Rule = {
  name: 'camera-claims',
  version: 1,
  title: 'What the picture says of its camera and the programs after it',
  strength: 'medium',
  family: 'image',
  substance: true,
  appliesTo: ['jpeg', 'png'],
  run({ kind, bytes }) {
    const origin = originOf(kind, bytes);
    const camera = cameraOf(origin.exif);
    const editors = editorsOf(origin);
    if (camera === undefined && editors.length === 0)
      return notApplicable(
        'The file names neither a camera nor an editing program, as usual after messengers and websites.',
      );
    const findings = [
      ...editors.map((editor) => savedBy(editor, camera)),
      ...(camera === undefined ? [] : [...dates(origin.exif), ...savedAgain(origin, camera)]),
    ];
    return verdictOf(findings, { count: editors.length + (camera === undefined ? 0 : 1), what: 'name' });
  },
};

/** Requires both, because a program may fill in one of them. */
function cameraOf({ make, model }: Exif = { makerNote: false }): string | undefined {
  if (make === undefined || model === undefined) return undefined;
  return model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`;
}

interface Named extends Editor {
  /** As the file writes it. */
  words: string;
  where: string;
}

function editorsOf({ programs }: Origin): Named[] {
  const named = new Map<string, Named>();
  for (const { name: words, where } of programs) {
    const editor = editorNamed(words);
    if (editor !== undefined && !named.has(editor.name)) named.set(editor.name, { ...editor, words, where });
  }
  return [...named.values()];
}

function savedBy({ name, retouches, words, where }: Named, camera: string | undefined): Finding {
  const details = { program: words, named_in: where, ...(camera === undefined ? {} : { camera }) };
  const taken = camera === undefined ? 'The picture' : `The picture, which says that it was taken with ${camera},`;
  return {
    message: `${taken} was saved by ${name}${retouches ? ', a program for retouching pictures' : ''}.`,
    ...(retouches ? {} : { strength: 'context' as const }),
    evidence: [{ after: words, details }],
  };
}

function dates({ takenAt, changedAt }: Exif = { makerNote: false }): Finding[] {
  const [taken, changed] = [exifTime(takenAt), exifTime(changedAt)];
  if (taken === undefined || changed === undefined || taken - changed < DAYS * DAY_MS) return [];
  return [
    {
      message: `The picture says that it was taken on ${day(taken)}, after it was last changed, on ${day(changed)}.`,
      strength: 'context',
      evidence: [{ before: takenAt ?? '', after: changedAt ?? '' }],
    },
  ];
}

function savedAgain({ exif, jpeg }: Origin, camera: string): Finding[] {
  if (jpeg === undefined || exif === undefined) return [];
  const signs = [resized(exif, jpeg), retabled(exif, jpeg)].filter((sign) => sign !== undefined);
  if (signs.length === 0) return [];
  return [
    {
      message: `The picture was saved again after ${camera} took it: ${signs.map(({ sign }) => sign).join(', and ')}.`,
      strength: 'context',
      evidence: signs.map(({ before, after }) => ({ before, after })),
    },
  ];
}

function resized({ width, height }: Exif, { frame }: Jpeg) {
  if (width === undefined || height === undefined || width === 0 || height === 0) return undefined;
  const same = width === frame.width && height === frame.height;
  const turned = width === frame.height && height === frame.width;
  if (same || turned) return undefined;
  return { sign: 'its size is another', before: `${width} x ${height}`, after: `${frame.width} x ${frame.height}` };
}

/** Only for Apple, which uses its own tables and maker notes. */
function retabled({ make, makerNote }: Exif, { frame, tables }: Jpeg) {
  const [brightness, colour] = frame.components.map(({ table }) => tables.get(table));
  if (make?.toLowerCase() !== 'apple' || makerNote || brightness === undefined) return undefined;
  const { quality, standard } = qualityOf(brightness, colour);
  if (!standard) return undefined;
  const after = `standard tables, quality ${quality}`;
  return {
    sign: 'it is compressed as common programs do, not as that camera does',
    before: 'tables of the maker',
    after,
  };
}

function day(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
