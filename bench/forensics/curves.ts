import { openDocument } from '@tenant-screening/forensics/open-document';
import { pictureMethods, sampleOf } from '@tenant-screening/forensics-corpus/samples.ts';
import { isGenuine, type Method, type Sample } from '@tenant-screening/forensics-corpus/truth.ts';
import type { Row as Line } from '../../bin/admin/cli/output.ts';
import { ghostScore } from '../../packages/forensics/rules/picture/jpeg-ghost.ts';

const WITHOUT_READING = { ocr: false, ocrSeconds: 0 };
const SPLICED: readonly string[] = ['splice', 'copy-move', 'edited-camera'];

interface Scored {
  genuine: boolean;
  method: Method;
  score: number;
}

/** ROC figures of the jpeg-ghost score: area under the curve, and the detection rate at given false-positive rates. */
export async function curves(seed: number, variants: number): Promise<Line[]> {
  const scored: Scored[] = [];
  for (const method of pictureMethods.filter((name) => isGenuine(name) || SPLICED.includes(name)))
    for (let number = 0; number < variants; number += 1) {
      const sample = await sampleOf(seed, number, method);
      scored.push({ genuine: sample.truth.genuine, method, score: await scoreOf(sample) });
    }
  const genuine = scored.filter((one) => one.genuine);
  return [...SPLICED, 'all of them'].map((method) => {
    const spliced = scored.filter((one) => !one.genuine && (method === 'all of them' || one.method === method));
    return line(
      method,
      genuine.map(({ score }) => score),
      spliced.map(({ score }) => score),
    );
  });
}

async function scoreOf({ name, bytes }: Sample): Promise<number> {
  const { document } = await openDocument(name, bytes, WITHOUT_READING);
  return document ? ghostScore(document) : 0;
}

function line(method: string, genuine: readonly number[], spliced: readonly number[]): Line {
  return {
    rule: 'jpeg-ghost',
    spliced: method,
    files: spliced.length,
    genuine: genuine.length,
    area_under_curve: areaUnder(genuine, spliced).toFixed(3),
    caught_at_0_false: share(spliced, threshold(genuine, 0)),
    caught_at_1_percent: share(spliced, threshold(genuine, 0.01)),
    caught_at_5_percent: share(spliced, threshold(genuine, 0.05)),
  };
}

/** The probability that a spliced picture scores higher than a genuine one; ties count half. */
function areaUnder(genuine: readonly number[], spliced: readonly number[]): number {
  const wins = spliced.reduce(
    (total, one) => total + genuine.reduce((sum, other) => sum + (one > other ? 1 : one === other ? 0.5 : 0), 0),
    0,
  );
  return wins / (genuine.length * spliced.length);
}

/** The score that at most this share of the genuine pictures exceeds. */
function threshold(genuine: readonly number[], falseShare: number): number {
  const sorted = genuine.toSorted((one, other) => other - one);
  return sorted[Math.floor(falseShare * sorted.length)] ?? Number.POSITIVE_INFINITY;
}

function share(scores: readonly number[], limit: number): string {
  return `${((100 * scores.filter((score) => score > limit).length) / scores.length).toFixed(0)} %`;
}
