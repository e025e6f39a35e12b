import type { Kind } from '../model.ts';
import { readXmp, type Xmp } from '../pdf/xmp.ts';
import { type Exif, exifOf } from './exif.ts';
import { applicationData, type Jpeg, jpegOf } from './jpeg/jpeg.ts';
import { chunkData, type Png, pngOf } from './png.ts';

/** What a picture file says about its origin. */
export interface Origin {
  jpeg?: Jpeg;
  png?: Png;
  exif?: Exif;
  xmp?: Xmp;
  /** The packet itself, for what `Xmp` lacks. */
  xmpText: string;
  /** Programs by their names in the file, and where each name is; Photoshop also by its export settings. */
  programs: { name: string; where: string }[];
}

const XMP_BYTES = 2_000_000;
const NAME = 120;

/** @throws Unreadable if the file is not of this kind */
export function originOf(kind: Kind, bytes: Uint8Array): Origin {
  return kind === 'png' ? originOfPng(bytes) : originOfJpeg(bytes);
}

function originOfJpeg(bytes: Uint8Array): Origin {
  const jpeg = jpegOf(bytes);
  const named = (number: number, name: string) => {
    for (const segment of jpeg.segments) {
      const data = applicationData(bytes, segment, number, name);
      if (data !== undefined) return data;
    }
    return undefined;
  };
  const exifBytes = named(1, 'Exif\0\0');
  const exif = exifBytes && exifOf(exifBytes);
  const xmpBytes = named(1, 'http://ns.adobe.com/xap/1.0/\0')?.subarray(0, XMP_BYTES);
  const xmp = xmpBytes && readXmp(xmpBytes);
  const programs = [
    ...describedIn(exif, xmp),
    ...(named(13, 'Photoshop 3.0\0') && named(12, 'Ducky')
      ? [{ name: 'Adobe Photoshop', where: 'export settings' }]
      : []),
    ...jpeg.comments.map((name) => ({ name, where: 'comment' })),
  ];
  return { jpeg, ...withExif(exif), ...withXmp(xmp), xmpText: textOf(xmpBytes), programs: programs.map(cut) };
}

function originOfPng(bytes: Uint8Array): Origin {
  const png = pngOf(bytes);
  const exifBytes = chunkData(bytes, png, 'eXIf');
  const exif = exifBytes && exifOf(exifBytes);
  const xmpText = png.texts.get('XML:com.adobe.xmp') ?? '';
  const xmp = xmpText === '' ? undefined : readXmp(Buffer.from(xmpText));
  const texts = ['Software', 'Creation Software', 'Comment'].map((key) => ({ name: png.texts.get(key), where: key }));
  const programs = [
    ...describedIn(exif, xmp),
    ...texts.flatMap(({ name, where }) => (name === undefined ? [] : [{ name, where }])),
  ];
  return { png, ...withExif(exif), ...withXmp(xmp), xmpText, programs: programs.map(cut) };
}

function describedIn(exif: Exif | undefined, xmp: Xmp | undefined): { name: string; where: string }[] {
  const agents = (xmp?.history ?? []).map(({ agent }) => ({ name: agent, where: 'history' }));
  const all = [{ name: exif?.software, where: 'Exif' }, { name: xmp?.creatorTool, where: 'XMP' }, ...agents];
  return all.flatMap(({ name, where }) => (name === undefined ? [] : [{ name, where }]));
}

function cut({ name, where }: { name: string; where: string }): { name: string; where: string } {
  return { name: name.slice(0, NAME), where };
}

function withExif(exif: Exif | undefined): { exif?: Exif } {
  return exif === undefined ? {} : { exif };
}

function withXmp(xmp: Xmp | undefined): { xmp?: Xmp } {
  return xmp === undefined ? {} : { xmp };
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}
