import type { EngineSettings, Obstacle, Scaled, ScaledSize, SubmittedDocument } from '../analysis.ts';
import { Malformed } from './frames.ts';
import type { AnalysisRequest } from './protocol.ts';
import { sanitizeMessage } from './sanitize.ts';
import { supervise } from './supervise.ts';
import type { Workers } from './workers.ts';

const MAX_FRAMES = 3;

/**
 * Has a sandboxed worker decode a picture and scale it down. One that exceeds the limits or crashes the worker is harmful.
 * @throws errors of reading the picture, and if no process can be started
 */
export async function scaleIsolated(
  picture: SubmittedDocument,
  size: ScaledSize,
  { settings, workers }: { settings: EngineSettings; workers: Workers },
): Promise<Scaled | Obstacle> {
  const child = await workers.start('png');
  const header: AnalysisRequest = { name: picture.name, scale: size, previews: false, ocr: false, ocrSeconds: 0 };
  const limits = { seconds: settings.secondsADocument, memoryMib: settings.memoryMib };
  let outcome: Scaled | Obstacle | undefined;
  let frames = 0;
  const ending = await supervise(child, { header, bytes: picture.read() }, limits, (frame) => {
    if (++frames > MAX_FRAMES) throw new Malformed('The worker sends too many frames.');
    const message = sanitizeMessage(frame);
    if (message.is === 'inspected') outcome = message.obstacle;
    if (message.is === 'scaled') outcome = message.scaled;
    return message.is === 'end';
  });
  child.kill();
  if (ending === 'not started')
    throw new Error(`The process that decodes pictures does not start: ${child.errorOutput()}`);
  return ending === 'finished' && outcome ? outcome : 'harmful';
}
