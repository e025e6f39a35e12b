import { availableParallelism } from 'node:os';
import { compareDocuments, crossRules } from './across/compare.ts';
import { contradicted } from './across/contradicted.ts';
import type { OwnedPaper } from './across/paper.ts';
import type {
  AnalysedDocument,
  AnalysisOptions,
  Drawer,
  EngineSettings,
  ForensicEngine,
  SubmittedDocument,
} from './analysis.ts';
import { drawIsolated } from './isolation/draw-isolated.ts';
import { examineIsolated } from './isolation/examine-isolated.ts';
import { inspectIsolated } from './isolation/inspect-isolated.ts';
import { scaleIsolated } from './isolation/scale-isolated.ts';
import { createSemaphore } from './isolation/semaphore.ts';
import { createWorkers, EngineClosed, type Lane } from './isolation/workers.ts';

export { EngineClosed };

/** Part of every result. The version is incremented with each change in what the engine finds; rules have their own versions. */
const ENGINE = { name: 'tenant-screening-forensics', version: '1.12.0' } as const;

/** A process reads this many of a person's documents: its start costs more CPU time than most documents. */
const DOCUMENTS_A_WORKER = 4;
/** After a usual document, a process holds 125. `parallel` persons have two that wait, one for pictures and one for PDFs. */
const WAITING_MIB = 192;

interface Examined {
  analysed: AnalysedDocument;
  durationMs: number;
  papers: OwnedPaper[];
}

export function defaultSettings(): EngineSettings {
  return { secondsADocument: 30, memoryMib: 1024, parallel: availableParallelism(), ocr: true };
}

/**
 * The engine. It takes each document through these steps:
 * 1. A permit limits how many documents are analysed at once (the setting `permits`, or `isolation/semaphore.ts`).
 * 2. A sandboxed worker process is started, or that of the person's previous document taken (`isolation/workers.ts`,
 *    `isolation/sandbox.ts`, `isolation/lockdown.ts`).
 * 3. The host streams the document to the worker, measures its size and digest, and enforces the limits on time and memory
 *    (`isolation/examine-isolated.ts`, `isolation/supervise.ts`).
 * 4. The worker (`isolation/worker.ts`) inspects the raw bytes and refuses what would harm a reader (`prescan/prescan.ts`).
 * 5. It opens the document: text, pages, pixels and OCR, each read on first use (`open-document.ts`).
 * 6. It runs every rule (`examine.ts`, `rules/index.ts`) and reports each check as it completes.
 * 7. It adds fingerprints (`fingerprints.ts`) and, on request, previews of pages (`previews.ts`).
 * 8. The host rebuilds every message from an allow-list of fields (`isolation/sanitize.ts`).
 * 9. The outcome is derived from the checks (`conclude.ts`), including those that a killed worker completed.
 * 10. What the documents say about the applicant (`content/claims/papers.ts`, in the worker) is compared (`across/compare.ts`).
 */
export function createForensicEngine(given: Partial<EngineSettings> = {}): ForensicEngine {
  const settings = { ...defaultSettings(), ...given };
  const { secondsADocument, memoryMib, parallel, permits = createSemaphore } = settings;
  const analyses = permits(parallel, 'analyses');
  // Users wait for inspections, so these do not queue behind analyses, nor all of them behind one slow file.
  const inspections = permits(Math.max(parallel, 2), 'inspections');
  // One at a time, with its own permits: a file that takes its full time limit must not block uploads.
  const drawings = permits(1, 'drawings');
  // Half for V8's heap: libraries allocate the other half outside the heap.
  const heapMib = Math.ceil(memoryMib / 2);
  const workers = createWorkers({ heapMib, secondsADocument, keptLanes: parallel, waitingMib: WAITING_MIB });
  let isClosed = false;
  const analyseOne = async (
    document: SubmittedDocument,
    ofPerson: Lane,
    options: AnalysisOptions,
  ): Promise<Examined> => {
    if (isClosed) throw new EngineClosed();
    const lane = document.isFromIssuer ? workers.lane() : ofPerson;
    const startedAt = performance.now();
    const { result, papers } = await examineIsolated(document, { settings, lane, options });
    if (lane !== ofPerson) lane.close();
    // Closing killed the worker, so the result says nothing about the document.
    if (isClosed) throw new EngineClosed();
    const owner = { document_id: document.id, name: document.name };
    const analysed: AnalysedDocument = { ...owner, ...result };
    const durationMs = performance.now() - startedAt;
    options.onExamined?.(analysed, durationMs);
    return { analysed, durationMs, papers: papers.map((paper): OwnedPaper => ({ ...paper, ...owner })) };
  };
  /** A turn lasts one document, so that the pages a person waits for come between the documents of a report. */
  const newDrawer = (): Drawer => {
    const ofPerson = workers.lane();
    return {
      draw: (document, pages) =>
        drawings.run(async () => {
          if (isClosed) throw new EngineClosed();
          const lane = document.isFromIssuer ? workers.lane() : ofPerson;
          const drawn = await drawIsolated(document, pages, { settings, lane });
          if (lane !== ofPerson) lane.close();
          if (isClosed) throw new EngineClosed();
          return drawn;
        }),
      close: () => ofPerson.close(),
    };
  };
  return {
    async analyse(documents, options = {}) {
      const waiting = documents.entries();
      const done: Examined[] = [];
      let hasFailed = false;
      const work = async () => {
        const lane = workers.lane();
        try {
          // One failure rejects the whole analysis, so the remaining results would be discarded.
          for (const [index, document] of waiting)
            if (!hasFailed) done[index] = await analyses.run(() => analyseOne(document, lane, options));
        } catch (error) {
          hasFailed = true;
          throw isClosed ? new EngineClosed() : error;
        } finally {
          lane.close();
        }
      };
      const lanes = Math.min(parallel, Math.ceil(documents.length / DOCUMENTS_A_WORKER));
      const settled = await Promise.allSettled(Array.from({ length: lanes }, work));
      const failed = settled.find((each) => each.status === 'rejected');
      if (failed) throw failed.reason;
      const papers = done.flatMap((one) => one.papers);
      const crossChecks = compareDocuments(papers);
      const fromIssuers = new Set(documents.filter(({ isFromIssuer }) => isFromIssuer).map(({ id }) => id));
      const compared = done.map(({ analysed }) =>
        fromIssuers.has(analysed.document_id) ? analysed : contradicted(analysed, crossChecks),
      );
      for (const [index, document] of compared.entries()) options.onDocument?.(document, done[index]?.durationMs ?? 0);
      return { engine: ENGINE, cross_checks: crossChecks, documents: compared, papers };
    },
    async inspect(document, today, person) {
      return inspections.run(async () => {
        if (isClosed) throw new EngineClosed();
        const lane = workers.laneOf(person);
        const inspection = await inspectIsolated(document, today, { settings, lane });
        if (isClosed) throw new EngineClosed();
        return inspection;
      });
    },
    async scale(picture, size) {
      return inspections.run(async () => {
        if (isClosed) throw new EngineClosed();
        const scaled = await scaleIsolated(picture, size, { settings, workers });
        if (isClosed) throw new EngineClosed();
        return scaled;
      });
    },
    async draw(document, pages) {
      const drawer = newDrawer();
      try {
        return await drawer.draw(document, pages);
      } finally {
        drawer.close();
      }
    },
    async drawer() {
      return newDrawer();
    },
    async edition() {
      const { rules } = await import('./rules/index.ts');
      const versions = [...rules, ...crossRules].map(({ name, version }) => `${name}@${version}`);
      const bounds = `ocr=${settings.ocr ?? true} seconds=${secondsADocument} mib=${memoryMib}`;
      return [`${ENGINE.name}@${ENGINE.version}`, ...versions, bounds].join(' ');
    },
    async close() {
      isClosed = true;
      workers.close();
    },
  };
}
