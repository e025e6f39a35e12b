/**
 * Hosts the engine in place of the service, and nothing else, so that its memory is the engine's. Receives files from the measuring
 * process and returns their results.
 */
import { createReadStream } from 'node:fs';
import { createForensicEngine } from '@tenant-screening/forensics/analyse';
import { residentMib, watchChildren } from './memory.ts';
import type { HostMessage, HostRequest } from './messages.ts';

process.on('message', async ({ files, ocr, parallel }: HostRequest) => {
  const engine = createForensicEngine({ secondsADocument: 30, memoryMib: 1024, parallel, ocr });
  const children = watchChildren();
  globalThis.gc?.();
  const before = residentMib();
  const documents = files.map(({ id, name, path }) => ({ id, name, read: () => createReadStream(path) }));
  try {
    await engine.analyse(documents, {
      onExamined: (result, durationMs) => send({ kind: 'document', id: result.document_id, result, durationMs }),
    });
    const childPeakMib = children.end();
    globalThis.gc?.();
    send({ kind: 'done', beforeMib: before, afterMib: residentMib(), childPeakMib });
  } catch (error) {
    send({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  } finally {
    await engine.close();
  }
});

process.on('disconnect', () => process.exit());

function send(message: HostMessage): void {
  process.send?.(message);
}
