import { availableParallelism } from 'node:os';
import type {
  AnalysedDocument,
  AnalysisOptions,
  EngineSettings,
  ForensicEngine,
  SubmittedDocument,
} from './analysis.ts';
import { examineIsolated } from './isolation/examine-isolated.ts';
import { inspectIsolated } from './isolation/inspect-isolated.ts';
import { createSemaphore } from './isolation/semaphore.ts';
import { createSpares } from './isolation/spares.ts';

/** Part of every result. The version rises with each change of what the engine finds; rules have versions of their own. */
const ENGINE = { name: 'tenant-screening-forensics', version: '1.1.0' } as const;

/** The engine was closed before the analysis finished. The documents are not at fault. */
export class EngineClosed extends Error {}

function closed(): EngineClosed {
  return new EngineClosed('The analysis was ended because the service stops.');
}

export function defaultSettings(): EngineSettings {
  return { secondsADocument: 30, memoryMib: 1024, parallel: availableParallelism(), ocr: true };
}

/**
 * The engine. It takes each document through these steps:
 * 1. A permit limits how many documents are analysed at once (`isolation/semaphore.ts`).
 * 2. A sandboxed worker process is started, or a spare one taken (`isolation/spares.ts`, `isolation/sandbox.ts`,
 *    `isolation/lockdown.ts`).
 * 3. The host streams the document to it, measures size and digest, and enforces the limits on time and memory
 *    (`isolation/examine-isolated.ts`, `isolation/supervise.ts`).
 * 4. The worker (`isolation/worker.ts`) inspects the raw bytes and refuses what would harm a reader (`prescan/prescan.ts`).
 * 5. It opens the document: text, pages, pixels and OCR, each read on first use (`open-document.ts`).
 * 6. It runs every rule (`examine.ts`, `rules/index.ts`) and reports each check as it completes.
 * 7. It adds fingerprints (`fingerprints.ts`) and, on request, previews of pages (`previews.ts`).
 * 8. The host rebuilds every message from an allow-list of fields (`isolation/sanitize.ts`).
 * 9. The checks give the outcome (`conclude.ts`). Of a worker that was killed, the checks it completed count.
 */
export function createForensicEngine(given: Partial<EngineSettings> = {}): ForensicEngine {
  const settings = { ...defaultSettings(), ...given };
  const { secondsADocument, memoryMib, parallel } = settings;
  const semaphore = createSemaphore(parallel);
  // People wait for it, so it does not queue behind analyses.
  const inspections = createSemaphore(parallel);
  const spares = createSpares({
    // Half for V8's heap: libraries keep the other half outside of it.
    heapMib: Math.ceil(memoryMib / 2),
    cpuSeconds: Math.ceil(2 * secondsADocument + 10),
    // With all processors busy, starting a process ahead of time costs more than it saves.
    isAnotherExpected: () => parallel < availableParallelism() && semaphore.hasWaiters(),
  });
  let isClosed = false;
  const analyseOne = async (document: SubmittedDocument, options: AnalysisOptions): Promise<AnalysedDocument> => {
    const startedAt = performance.now();
    const result = await examineIsolated(document, { settings, spares, options });
    // Closing killed the worker, so the result says nothing about the document.
    if (isClosed) throw closed();
    const analysed = { document_id: document.id, name: document.name, ...result };
    options.onDocument?.(analysed, performance.now() - startedAt);
    return analysed;
  };
  return {
    async analyse(documents, options = {}) {
      let hasFailed = false;
      const work = documents.map((document) =>
        semaphore
          .run(async () => {
            if (isClosed) throw closed();
            // One failure rejects the whole analysis, so the remaining results would be discarded.
            if (hasFailed) throw new Error('Another document could not be analysed.');
            return analyseOne(document, options);
          })
          .catch((error) => {
            hasFailed = true;
            throw isClosed ? closed() : error;
          }),
      );
      const settled = await Promise.allSettled(work);
      const failed = settled.find((each) => each.status === 'rejected');
      if (failed) throw failed.reason;
      return {
        engine: ENGINE,
        documents: settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
      };
    },
    async inspect(document) {
      return inspections.run(async () => {
        if (isClosed) throw closed();
        const obstacle = await inspectIsolated(document, { settings, spares });
        if (isClosed) throw closed();
        return obstacle;
      });
    },
    async edition() {
      const { rules } = await import('./rules/index.ts');
      const versions = rules.map(({ name, version }) => `${name}@${version}`);
      const bounds = `ocr=${settings.ocr ?? true} seconds=${secondsADocument} mib=${memoryMib}`;
      return [`${ENGINE.name}@${ENGINE.version}`, ...versions, bounds].join(' ');
    },
    async close() {
      isClosed = true;
      spares.close();
    },
  };
}
