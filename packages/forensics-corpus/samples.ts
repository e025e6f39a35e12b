import type { Kind } from '@tenant-screening/forensics/model';
import { NotPossible } from './pdf/retype.ts';
import { producers as ownProducers } from './producers/index.ts';
import type { Producer } from './producers/producer.ts';
import { genuinePdf, genuinePdfMethods } from './samples/genuine-pdf.ts';
import { genuinePicture, genuinePictureMethods, tamperedPicture, tamperedPictureMethods } from './samples/pictures.ts';
import { type Made, type Redistiller, type Stage, stageOf, type Wanted } from './samples/stage.ts';
import { tamperedPdf, tamperedPdfMethods } from './samples/tampered-pdf.ts';
import { isGenuine, type Method, type Sample, type Truth } from './truth.ts';

interface SampleOptions {
  /** By default, the producers installed from npm alone. */
  producers?: readonly Producer[];
  redistillers?: readonly Redistiller[];
  /** All methods by default; used in turn. */
  methods?: readonly Method[];
  wanted?: Wanted;
}

export const pdfMethods: readonly Method[] = [...genuinePdfMethods, ...tamperedPdfMethods];
export const pictureMethods: readonly Method[] = [...genuinePictureMethods, ...tamperedPictureMethods];

const ATTEMPTS = 40;

/** New documents, reproducible for a seed. Which methods take part does not affect the output of each. */
export async function* samples(seed: number, count: number, options: SampleOptions = {}): AsyncGenerator<Sample> {
  const { redistillers = [] } = options;
  const all = options.methods ?? [...pdfMethods, ...pictureMethods];
  const methods = all.filter((method) => method !== 'redistilled' || redistillers.length > 0);
  for (let index = 0; index < count; index += 1) {
    const method = methods[index % methods.length];
    if (method) yield sampleOf(seed, Math.floor(index / methods.length), method, options);
  }
}

/** @param number distinguishes the variants of a method */
export async function sampleOf(
  seed: number,
  number: number,
  method: Method,
  options: SampleOptions = {},
): Promise<Sample> {
  const { producers = ownProducers, redistillers = [], wanted } = options;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const stage = stageOf(`${seed}/${method}/${number}/${attempt}`, producers, redistillers, wanted);
    try {
      return sample(`${seed}-${method}-${number}`, method, await make(method, stage));
    } catch (error) {
      if (!(error instanceof NotPossible)) throw new Error(`${seed}-${method}-${number}: ${error}`, { cause: error });
    }
  }
  throw new Error(`No file could be made by ${method}.`);
}

function make(method: Method, stage: Stage): Promise<Made> {
  const isPdf = pdfMethods.includes(method);
  if (isGenuine(method)) return isPdf ? genuinePdf(method, stage) : genuinePicture(method, stage);
  return isPdf ? tamperedPdf(method, stage) : tamperedPicture(method, stage);
}

function sample(prefix: string, method: Method, { bytes, paper, producer, changes }: Made): Sample {
  const kind = kindOf(bytes);
  const { subject, layout, locale } = paper;
  const truth: Truth = {
    genuine: isGenuine(method),
    method,
    kind,
    subject,
    layout,
    producer,
    language: locale.tag,
    changes,
  };
  const what = [prefix, subject, layout, producer, locale.tag, ...new Set(changes.map(({ target }) => target))];
  return { name: `${what.join('-')}.${kind}`, bytes, truth };
}

function kindOf(bytes: Uint8Array): Kind {
  if (bytes[0] === 0xff) return 'jpeg';
  return bytes[0] === 0x89 ? 'png' : 'pdf';
}
