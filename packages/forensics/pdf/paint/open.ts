import { fileURLToPath } from 'node:url';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { Unreadable } from '../../model.ts';
import { withoutBigPictures } from './pictures.ts';

export type Pdfjs = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

const MAX_PAGES = 2000;
const LEFTOVERS = new Set([
  'AbortException',
  'FormatError',
  'InvalidPDFException',
  'MissingDataException',
  'ParserEOFException',
  'UnknownErrorException',
  'XRefEntryException',
  'XRefParseException',
]);

let loading: Promise<Pdfjs> | undefined;

/**
 * PDF.js in this process: it starts no worker, because its worker module is imported first. The classes are for drawing only, but without
 * a canvas PDF.js would complain on the console that the first two are missing, and it hands each font over to the third.
 */
export function reader(): Promise<Pdfjs> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Pdfjs> {
  const globals: Record<string, unknown> = globalThis;
  globals['DOMMatrix'] ??= class {};
  globals['Path2D'] ??= class {};
  globals['FontFace'] ??= class {};
  process.on('unhandledRejection', ignoreLeftovers);
  const worker: string = 'pdfjs-dist/legacy/build/pdf.worker.mjs';
  await import(worker);
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}

/** On a damaged file PDF.js leaves rejected promises without a handler; real errors arrive another way. */
function ignoreLeftovers(reason: unknown): void {
  if (!(reason instanceof Error) || !LEFTOVERS.has(reason.name)) throw reason;
}

/** The file cannot be opened without a password. */
export class NeedsPassword extends Unreadable {}

/** Opens a PDF for `use` and always closes it. @throws Unreadable */
export async function withPdf<T>(
  bytes: Uint8Array,
  use: (pdf: PDFDocumentProxy, pdfjs: Pdfjs) => Promise<T>,
): Promise<T> {
  const pdfjs = await reader();
  const task = pdfjs.getDocument({
    // A copy, because PDF.js takes over its buffer.
    data: withoutBigPictures(bytes),
    cMapUrl: resources('cmaps/'),
    cMapPacked: true,
    isEvalSupported: false,
    // Otherwise PDF.js computes and hands over the outline of each glyph, which only drawing needs.
    disableFontFace: false,
    ownerDocument: { fonts: new Set() },
    // PDF.js exposes the names of fonts only with this option.
    fontExtraProperties: true,
    useSystemFonts: false,
    useWasm: false,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: 0,
  } as Parameters<Pdfjs['getDocument']>[0]);
  try {
    const pdf = await task.promise;
    if (pdf.numPages > MAX_PAGES) throw new Unreadable(`The file has more than ${MAX_PAGES} pages.`);
    return await use(pdf, pdfjs);
  } catch (error) {
    throw error instanceof Unreadable ? error : unreadable(error);
  } finally {
    await task.destroy().catch(() => undefined);
  }
}

function unreadable(error: unknown): Unreadable {
  return error instanceof Error && error.name === 'PasswordException'
    ? new NeedsPassword('The file is encrypted and needs a password.')
    : new Unreadable('The file is damaged and cannot be read as a PDF.');
}

function resources(folder: string): string {
  return fileURLToPath(new URL(`../../${folder}`, import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')));
}
