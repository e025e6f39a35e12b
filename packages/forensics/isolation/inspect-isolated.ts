import type { EngineSettings, Obstacle, SubmittedDocument } from '../analysis.ts';
import { kindOf } from '../kind.ts';
import { peek } from './examine-isolated.ts';
import { Malformed } from './frames.ts';
import type { AnalysisRequest } from './protocol.ts';
import { sanitizeMessage } from './sanitize.ts';
import { supervise } from './supervise.ts';
import type { Workers } from './workers.ts';

const MAX_FRAMES = 10;

/**
 * Has a sandboxed worker open a document. A document that exceeds the limits or crashes the worker is harmful.
 * @throws errors of reading the document, and if no process can be started
 */
export async function inspectIsolated(
  document: SubmittedDocument,
  { settings, workers }: { settings: EngineSettings; workers: Workers },
): Promise<Obstacle | undefined> {
  const { head, bytes } = await peek(document.read());
  const child = await workers.start(kindOf(head));
  const header: AnalysisRequest = { name: document.name, inspect: true, previews: false, ocr: false, ocrSeconds: 0 };
  const limits = { seconds: settings.secondsADocument, memoryMib: settings.memoryMib };
  let verdict: { obstacle?: Obstacle } | undefined;
  let frames = 0;
  const ending = await supervise(child, { header, bytes }, limits, (frame) => {
    if (++frames > MAX_FRAMES) throw new Malformed('The worker sends too many frames.');
    const message = sanitizeMessage(frame);
    if (message.is === 'inspected') verdict = message;
    return message.is === 'end';
  });
  child.kill();
  if (ending === 'not started')
    throw new Error(`The process that inspects documents does not start: ${child.errorOutput()}`);
  return ending === 'finished' && verdict ? verdict.obstacle : 'harmful';
}
