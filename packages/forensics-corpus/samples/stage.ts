import { NotPossible } from '../pdf/retype.ts';
import type { Producer } from '../producers/producer.ts';
import { type Random, randomOf } from '../random.ts';
import { createSigner, type Signer } from '../sign.ts';
import type { Change, Subject } from '../truth.ts';
import { type Paper, type PaperWishes, paperOf } from './paper.ts';

/** What a sample is to be. */
export type Wanted = Partial<Pick<PaperWishes, 'subjects' | 'applicant'>>;

/** Draws another producer's pages into a new file, as printing to PDF does. */
export interface Redistiller {
  name: string;
  write(bytes: Uint8Array): Promise<Uint8Array>;
}

/** The ingredients of one sample. */
export interface Stage {
  random: Random;
  producer: Producer;
  redistillers: readonly Redistiller[];
  signer(): Promise<Signer>;
  wanted: Wanted;
}

/** A generated file, and how it was made. */
export interface Made {
  bytes: Uint8Array;
  paper: Paper;
  producer: string;
  changes: Change[];
}

let signer: Promise<Signer> | undefined;

export function stageOf(
  name: string,
  producers: readonly Producer[],
  redistillers: readonly Redistiller[],
  wanted: Wanted = {},
): Stage {
  const random = randomOf(name);
  const producer = random.pick(producers);
  const only = () => {
    signer ??= createSigner('Statement Signing Service');
    return signer;
  };
  return { random, producer, redistillers, signer: only, wanted };
}

const papers: readonly Subject[] = ['statement', 'statement', 'payslip'];

export async function digitalPaper(
  { random, producer, wanted }: Stage,
  wishes: Partial<PaperWishes> = {},
): Promise<Paper> {
  const paper = await paperOf(random, {
    subjects: papers,
    western: !producer.allLetters,
    short: false,
    ...wishes,
    ...wanted,
  });
  // Producers without a settable date write the current one, and later changes to the file must have later dates.
  return producer.deterministic ? paper : { ...paper, created: new Date() };
}

/** A document of the kinds that people photograph. @throws NotPossible when the producer supports none */
export async function picturedPaper(stage: Stage): Promise<Paper> {
  if (!stage.producer.pictures) throw new NotPossible(`${stage.producer.name} draws no pictures.`);
  return digitalPaper(stage, { subjects: [...papers, 'identity', 'identity'], short: true });
}

export async function written(stage: Stage, paper: Paper): Promise<Uint8Array> {
  return stage.producer.write(paper.drawing, paper.created, stage.random);
}
