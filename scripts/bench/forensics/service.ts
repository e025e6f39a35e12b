import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Sample, Truth } from '../../../forensics/corpus/truth.ts';
import type { DocumentResult } from '../../../forensics/result.ts';
import type { Asked, Memory, Told } from './messages.ts';

/** One document, what is true of it and what the engine said. */
export interface Row {
  name: string;
  truth: Truth;
  result: DocumentResult;
  durationMs: number;
}

export interface Service {
  analyse(samples: readonly Sample[], how: Pick<Asked, 'ocr' | 'parallel'>): Promise<{ rows: Row[]; memory: Memory }>;
  close(): Promise<void>;
}

const HOST = fileURLToPath(new URL('host.ts', import.meta.url));

/** Starts the process that stands for the service. */
export async function startService(): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-forensics-'));
  const host = fork(HOST, { execArgv: ['--expose-gc'] });
  return {
    async analyse(samples, how) {
      const files = await Promise.all(
        samples.map(async ({ name, bytes }, index) => {
          const path = join(folder, String(index));
          await writeFile(path, bytes);
          return { id: String(index), name, path };
        }),
      );
      return new Promise((resolve, reject) => {
        const rows: Row[] = [];
        const hear = (told: Told) => {
          if (told.kind === 'document') {
            const sample = samples[Number(told.id)];
            if (sample)
              rows.push({ name: sample.name, truth: sample.truth, result: told.result, durationMs: told.durationMs });
            return;
          }
          host.off('message', hear);
          if (told.kind === 'done') resolve({ rows, memory: told });
          else reject(new Error(told.reason));
        };
        host.on('message', hear);
        host.once('exit', (code) => reject(new Error(`The service ended with ${code}.`)));
        host.send({ files, ...how } satisfies Asked);
      });
    },
    async close() {
      host.removeAllListeners('exit');
      host.disconnect();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
