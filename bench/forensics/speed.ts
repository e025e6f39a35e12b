import { pageCount } from '@tenant-screening/forensics-corpus/pdf/locate.ts';
import type { Producer } from '@tenant-screening/forensics-corpus/producers/producer.ts';
import { sampleOf } from '@tenant-screening/forensics-corpus/samples.ts';
import type { Method, Sample } from '@tenant-screening/forensics-corpus/truth.ts';
import sharp from 'sharp';
import type { Row as Line } from '../../bin/admin/cli/output.ts';
import type { Memory } from './messages.ts';
import type { Service } from './service.ts';

export interface Speed {
  rows: Line[];
  medians: { pdfMs: number; pictureMs: number };
  memory: Memory;
}

/** Latency of single documents on an idle engine. */
export async function measureSpeed(
  service: Service,
  seed: number,
  count: number,
  producers: readonly Producer[],
): Promise<Speed> {
  const pdfs = await found(
    seed,
    count,
    ['as-produced', 'linearised', 'signed', 'incremental-edit'],
    producers,
    hasThreePages,
  );
  const pictures = await found(seed, count, ['photo', 'camera', 'messenger', 'splice'], producers, hasTwoMegapixels);
  const read = pictures.slice(0, Math.ceil(count / 3));
  const groups = [
    { files: 'PDF of 3 pages', samples: pdfs, ocr: true },
    { files: 'picture of about 2 megapixels, text not read', samples: pictures, ocr: false },
    { files: 'picture of about 2 megapixels, text read', samples: read, ocr: true },
  ];
  const rows: Line[] = [];
  const medians: number[] = [];
  const memories: Memory[] = [];
  // Warm-up: the first documents pay for the code cache.
  await service.analyse(pdfs.slice(0, 2), { ocr: false, parallel: 1 });
  for (const { files, samples, ocr } of groups) {
    const { rows: measured, memory } = await service.analyse(samples, { ocr, parallel: 1 });
    const times = measured.map(({ durationMs }) => durationMs).sort((one, other) => one - other);
    medians.push(quantile(times, 0.5));
    memories.push(memory);
    rows.push({
      files,
      count: times.length,
      median_ms: Math.round(quantile(times, 0.5)),
      p95_ms: Math.round(quantile(times, 0.95)),
      largest_child_mib: Math.round(memory.childPeakMib),
    });
  }
  const [pdfMs = 0, pictureMs = 0] = medians;
  return { rows, medians: { pdfMs, pictureMs }, memory: together(memories) };
}

async function found(
  seed: number,
  count: number,
  methods: readonly Method[],
  producers: readonly Producer[],
  fits: (sample: Sample) => Promise<boolean>,
) {
  const samples: Sample[] = [];
  for (let number = 0; samples.length < count && number < count * 20; number += 1) {
    const method = methods[number % methods.length];
    if (!method) break;
    const sample = await sampleOf(seed + 1, number, method, { producers });
    if (await fits(sample)) samples.push(sample);
  }
  return samples;
}

async function hasThreePages({ bytes }: Sample): Promise<boolean> {
  return (await pageCount(bytes)) === 3;
}

async function hasTwoMegapixels({ bytes }: Sample): Promise<boolean> {
  const { width = 0, height = 0 } = await sharp(bytes).metadata();
  return Math.abs(width * height - 2_000_000) < 400_000;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function together(memories: readonly Memory[]): Memory {
  return {
    beforeMib: memories[0]?.beforeMib ?? 0,
    afterMib: memories.at(-1)?.afterMib ?? 0,
    childPeakMib: Math.max(...memories.map(({ childPeakMib }) => childPeakMib)),
  };
}
