import type { EngineSettings, Preview, SubmittedDocument } from '../analysis.ts';
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

/**
 * Has a sandboxed worker draw pages. What it drew before it exceeded a limit or crashed counts.
 * @throws errors of reading the document, and if no process can be started
 */
export async function drawIsolated(
  document: SubmittedDocument,
  pages: readonly number[],
  environment: Environment,
): Promise<Preview[]> {
  return (await readWithFreshProcess(() => draw(document, pages, environment))).drawn;
}

async function draw(document: SubmittedDocument, pages: readonly number[], { settings, lane }: Environment) {
  const { head, bytes } = await peek(document.read());
  const taken = await lane.take(kindOf(head));
  const header: AnalysisRequest = { name: document.name, draw: pages, previews: true, ocr: false, ocrSeconds: 0 };
  const limits = { seconds: settings.secondsADocument, memoryMib: settings.memoryMib };
  const drawn: Preview[] = [];
  const ending = await supervise(taken.child, { header, bytes }, limits, (frame) => {
    const message = sanitizeMessage(frame);
    if (message.is === 'preview') {
      if (drawn.length === pages.length) throw new Malformed('The worker sends too many pages.');
      drawn.push(message.preview);
    }
    return message.is === 'end';
  });
  if (ending === 'finished') lane.giveBack(taken);
  return { taken, ending, drawn };
}
