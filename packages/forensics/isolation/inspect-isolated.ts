import type { EngineSettings, Inspection, Obstacle, SubmittedDocument } from '../analysis.ts';
import { encodePng } from '../image/encode-png.ts';
import { kindOf } from '../kind.ts';
import { peek } from './examine-isolated.ts';
import { Malformed } from './frames.ts';
import { readWithFreshProcess } from './fresh-process.ts';
import type { AnalysisRequest } from './protocol.ts';
import { sanitizeMessage } from './sanitize.ts';
import { supervise } from './supervise.ts';
import type { Lane } from './workers.ts';

interface Environment {
  settings: EngineSettings;
  lane: Lane;
}

const MAX_FRAMES = 10;

/** Reading pictures is worth a few seconds of a person's wait. */
const MAX_OCR_SECONDS = 4;

/**
 * Has a sandboxed worker open a document and glance at it. A document that exceeds the limits or crashes the worker before it is open is
 * harmful. The worker sends pixels, which are encoded here: what it sends is shown to people.
 * @throws errors of reading the document, and if no process can be started
 */
export async function inspectIsolated(
  document: SubmittedDocument,
  today: string,
  environment: Environment,
): Promise<Inspection> {
  const { ending, verdict, seen } = await readWithFreshProcess(
    () => inspect(document, today, environment),
    // A glance is not worth a second reading.
    (reading) => reading.verdict === undefined || reading.ending === 'malformed',
  );
  if (ending === 'malformed' || !verdict) return { obstacle: 'harmful' };
  return ending === 'finished' ? { ...verdict, ...seen } : verdict;
}

async function inspect(document: SubmittedDocument, today: string, { settings, lane }: Environment) {
  const { head, bytes } = await peek(document.read());
  const taken = await lane.take(kindOf(head));
  const ocr = settings.ocr ?? true;
  const ocrSeconds = Math.min(MAX_OCR_SECONDS, settings.secondsADocument / 3);
  const header: AnalysisRequest = { name: document.name, inspect: today, previews: false, ocr, ocrSeconds };
  const limits = { seconds: settings.secondsADocument, memoryMib: settings.memoryMib };
  let verdict: { obstacle?: Obstacle } | undefined;
  let seen: Pick<Inspection, 'glance' | 'thumbnail'> = {};
  let frames = 0;
  const ending = await supervise(taken.child, { header, bytes }, limits, (frame) => {
    if (++frames > MAX_FRAMES) throw new Malformed('The worker sends too many frames.');
    const message = sanitizeMessage(frame);
    if (message.is === 'inspected') verdict = message.obstacle ? { obstacle: message.obstacle } : {};
    if (message.is === 'glanced') {
      const { glance, thumbnail } = message;
      seen = { glance, ...(thumbnail ? { thumbnail: encodePng(thumbnail) } : {}) };
    }
    return message.is === 'end';
  });
  if (ending === 'finished') lane.giveBack(taken);
  return { taken, ending, verdict, seen };
}
