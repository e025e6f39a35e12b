/**
 * Stands for the service: holds the engine and nothing else, so that its memory is the engine's doing. Takes files from the
 * measuring process and gives back what the engine says of them.
 */
import { createReadStream } from 'node:fs';
import { createForensicEngine } from '@tenant-screening/forensics/analyse';
import { residentMib, watchChildren } from './memory.ts';
import type { Asked, Told } from './messages.ts';

process.on('message', async ({ files, ocr, parallel }: Asked) => {
  const engine = createForensicEngine({ secondsADocument: 30, memoryMib: 1024, parallel, ocr });
  const children = watchChildren();
  globalThis.gc?.();
  const before = residentMib();
  const documents = files.map(({ id, name, path }) => ({ id, name, read: () => createReadStream(path) }));
  try {
    await engine.analyse(documents, {
      onDocument: (result, durationMs) => tell({ kind: 'document', id: result.document_id, result, durationMs }),
    });
    const childPeakMib = children.end();
    globalThis.gc?.();
    tell({ kind: 'done', beforeMib: before, afterMib: residentMib(), childPeakMib });
  } catch (error) {
    tell({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  } finally {
    await engine.close();
  }
});

process.on('disconnect', () => process.exit());

function tell(told: Told): void {
  process.send?.(told);
}
