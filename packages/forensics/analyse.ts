import { availableParallelism } from 'node:os';
import type {
  AnalysedDocument,
  AnalysisOptions,
  EngineSettings,
  ForensicEngine,
  SubmittedDocument,
} from './analysis.ts';
import { examineApart } from './isolation/examine-apart.ts';
import { createSlots } from './isolation/slots.ts';
import { createSpares } from './isolation/spares.ts';

/** Part of every result. The version rises with each change of what the engine finds; rules have versions of their own. */
const ENGINE = { name: 'tenant-screening-forensics', version: '1.0.0' } as const;

export function defaultSettings(): EngineSettings {
  return { secondsADocument: 30, memoryMib: 1024, parallel: availableParallelism(), ocr: true };
}

/** The service stops before the analysis is done. Nothing is wrong with the documents. */
export class EngineClosed extends Error {}

function closed(): EngineClosed {
  return new EngineClosed('The analysis was ended because the service stops.');
}

/** Analyses each document in a process of its own, several of them side by side. */
export function createForensicEngine(given: Partial<EngineSettings> = {}): ForensicEngine {
  const settings = { ...defaultSettings(), ...given };
  const { secondsADocument, memoryMib } = settings;
  const slots = createSlots(settings.parallel);
  // Of the memory half is JavaScript's; libraries hold the rest outside of it.
  const spares = createSpares({
    heapMib: Math.ceil(memoryMib / 2),
    cpuSeconds: Math.ceil(2 * secondsADocument + 10),
    // Where all processors are at work, starting another process beforehand would only take from them.
    isAnotherExpected: () => settings.parallel < availableParallelism() && slots.isAnyWaiting(),
  });
  let isClosed = false;
  const one = async (document: SubmittedDocument, options: AnalysisOptions): Promise<AnalysedDocument> => {
    const startedAt = performance.now();
    const result = await examineApart(document, { settings, spares, options });
    // What was ended by us says nothing of the document.
    if (isClosed) throw closed();
    const analysed = { document_id: document.id, name: document.name, ...result };
    options.onDocument?.(analysed, performance.now() - startedAt);
    return analysed;
  };
  return {
    async analyse(documents, options = {}) {
      let hasFailed = false;
      const work = documents.map((document) =>
        slots
          .run(async () => {
            if (isClosed) throw closed();
            // What the others find is not told when one cannot be analysed.
            if (hasFailed) throw new Error('Another document could not be analysed.');
            return one(document, options);
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
    async close() {
      isClosed = true;
      spares.close();
    },
  };
}
