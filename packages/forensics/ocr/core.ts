import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** The part of Tesseract's interface that is used, as `tesseract.js-core` binds it. */
interface Recogniser {
  /** Takes the file `/input`; returns 1 if it cannot be read. The angle is in radians. */
  SetImageFile(exifOrientation: number, angle: number): number;
  SetVariable(name: string, value: string): boolean;
  FindLines(): number;
  /** The slope of the lines in radians. */
  GetGradient(): number;
  Recognize(monitor: null): number;
  GetTSVText(page: number): string;
  Init(dataPath: null, language: string, engine: number): number;
  End(): void;
}

export interface Core {
  recogniser: Recogniser;
  putImage(bytes: Uint8Array): void;
  /** Called several times a second during recognition. If it throws, recognition ends and the core must not be used again. */
  onProgress: () => void;
}

interface CoreModule {
  FS: { writeFile(path: string, data: Uint8Array): void };
  TessBaseAPI: new () => Recogniser;
}

const LSTM_ONLY = 1;
const LANGUAGE_DATA_BYTES = 64 * 1024 * 1024;

/**
 * Tesseract in this process: no worker thread, no network, no code from strings. Uses the build without relaxed SIMD, which reads the same
 * on every machine, and the quantised data, whose 5 MB load in a tenth of a second.
 */
export async function loadCore(): Promise<Core> {
  const require = createRequire(import.meta.url);
  // A dependency of tesseract.js, wherever npm installed it. Neither package provides types for this entry.
  const requireInside = createRequire(require.resolve('tesseract.js'));
  const create = requireInside('tesseract.js-core/tesseract-core-simd-lstm') as (
    options: Record<string, unknown>,
  ) => Promise<CoreModule>;
  const state = { onProgress: () => {} };
  const module = await create({ TesseractProgress: () => state.onProgress(), print: () => {}, printErr: () => {} });
  const folder = dirname(require.resolve('@tesseract.js-data/eng/package.json'));
  const packed = readFileSync(join(folder, '4.0.0_best_int', 'eng.traineddata.gz'));
  module.FS.writeFile('./eng.traineddata', gunzipSync(packed, { maxOutputLength: LANGUAGE_DATA_BYTES }));
  const recogniser = new module.TessBaseAPI();
  if (recogniser.Init(null, 'eng', LSTM_ONLY) !== 0) throw new Error('Tesseract does not start.');
  return Object.assign(state, {
    recogniser,
    putImage: (bytes: Uint8Array) => module.FS.writeFile('/input', bytes),
  });
}
