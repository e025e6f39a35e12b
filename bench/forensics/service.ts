import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DocumentResult } from '@tenant-screening/forensics/result';
import type { Sample, Truth } from '@tenant-screening/forensics-corpus/truth.ts';
import type { HostMessage, HostRequest, Memory } from './messages.ts';

/** A document, the truth about it, and the engine's result. */
export interface Row {
  name: string;
  truth: Truth;
  result: DocumentResult;
  durationMs: number;
}

export interface Service {
  analyse(
    samples: readonly Sample[],
    how: Pick<HostRequest, 'ocr' | 'parallel'>,
  ): Promise<{ rows: Row[]; memory: Memory }>;
  close(): Promise<void>;
}

const HOST = fileURLToPath(new URL('host.ts', import.meta.url));

/** Starts the process that hosts the engine. */
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
      host.send({ files, ...how } satisfies HostRequest);
      return resultsFrom(host, samples);
    },
    async close() {
      if (host.connected) host.disconnect();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function resultsFrom(host: ChildProcess, samples: readonly Sample[]): ReturnType<Service['analyse']> {
  const rows: Row[] = [];
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      host.off('message', receive).off('exit', ended);
      settle();
    };
    const ended = (code: number | null) => end(() => reject(new Error(`The service ended with ${code}.`)));
    const receive = (message: HostMessage) => {
      if (message.kind === 'done') end(() => resolve({ rows, memory: message }));
      else if (message.kind === 'failed') end(() => reject(new Error(message.reason)));
      else {
        const sample = samples[Number(message.id)];
        if (!sample) return;
        rows.push({ name: sample.name, truth: sample.truth, result: message.result, durationMs: message.durationMs });
      }
    };
    host.on('message', receive).on('exit', ended);
  });
}
