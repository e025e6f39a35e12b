import { judge } from '@tenant-screening/forensics-corpus/judge.ts';
import type { Row } from './service.ts';
import { isRight, percent } from './tables.ts';

/** A promised figure, and whether it was kept. */
export interface Pledge {
  promise: string;
  measured: string;
  kept: boolean;
}

export function pledgesOf(rows: readonly Row[], medians: { pdfMs: number; pictureMs: number }): Pledge[] {
  const genuine = rows.filter(({ truth }) => truth.genuine);
  const tampered = genuine.filter(({ result }) => result.outcome === 'tampered').length;
  const suspicious = genuine.filter(({ result }) => result.outcome === 'suspicious').length;
  const telling = tamperedPdfs(rows, ['always']);
  const caught = telling.filter(isRight).length;
  return [
    {
      promise: 'At least 95 % of tampered PDFs that tell are tampered or suspicious, with what was changed',
      measured: `${percent(caught, telling.length)} of ${telling.length}`,
      kept: caught >= 0.95 * telling.length,
    },
    {
      promise: 'At most 1 % of genuine files are called tampered',
      measured: `${percent(tampered, genuine.length)} of ${genuine.length}`,
      kept: tampered <= 0.01 * genuine.length,
    },
    {
      promise: 'At most 3 % of genuine files are called suspicious',
      measured: `${percent(suspicious, genuine.length)} of ${genuine.length}`,
      kept: suspicious <= 0.03 * genuine.length,
    },
    {
      promise: 'A PDF of three pages takes less than 300 ms in the median',
      measured: `${Math.round(medians.pdfMs)} ms`,
      kept: medians.pdfMs < 300,
    },
    {
      promise: 'A picture of two megapixels takes less than 1 s in the median, without reading text',
      measured: `${Math.round(medians.pictureMs)} ms`,
      kept: medians.pictureMs < 1000,
    },
  ];
}

/** The same share over larger groups, which shows what the promise leaves out. */
export function shares(rows: readonly Row[]): { of: string; files: number; caught_with_evidence: string }[] {
  const groups = [
    ['PDFs that always tell', tamperedPdfs(rows, ['always'])],
    ['those and PDFs that sometimes tell', tamperedPdfs(rows, ['always', 'sometimes'])],
    ['all tampered PDFs, those that tell no one too', tamperedPdfs(rows, ['always', 'sometimes', 'never'])],
    ['pictures that sometimes tell', tamperedPictures(rows, ['sometimes'])],
    ['all tampered pictures', tamperedPictures(rows, ['sometimes', 'never'])],
  ] as const;
  return groups.map(([of, group]) => ({
    of,
    files: group.length,
    caught_with_evidence: percent(group.filter(isRight).length, group.length),
  }));
}

type Tells = ReturnType<typeof judge>['expectation']['tells'];

function tamperedPdfs(rows: readonly Row[], tells: readonly Tells[]): Row[] {
  return rows.filter(
    ({ truth, result }) =>
      !truth.genuine && truth.kind === 'pdf' && tells.includes(judge(truth, result).expectation.tells),
  );
}

function tamperedPictures(rows: readonly Row[], tells: readonly Tells[]): Row[] {
  return rows.filter(
    ({ truth, result }) =>
      !truth.genuine && truth.kind !== 'pdf' && tells.includes(judge(truth, result).expectation.tells),
  );
}
