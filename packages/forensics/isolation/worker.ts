import { aboutRule } from '../examine.ts';
import { examineBytes } from '../examine-bytes.ts';
import { fingerprintsOf } from '../fingerprints.ts';
import { obstacleIn } from '../inspect-bytes.ts';
import type { Opened } from '../open-document.ts';
import { reader } from '../pdf/paint/open.ts';
import { previewsOf } from '../previews.ts';
import type { Check } from '../result.ts';
import { rules } from '../rules/index.ts';
import type { AnalysisRequest, WorkerMessage } from './protocol.ts';
import { readRequest, writeFrame } from './worker-io.ts';

/** The sandboxed program: reads one document, reports what it finds, and exits. */

function send(message: Exclude<WorkerMessage, { is: 'preview' }>): void {
  writeFrame(message);
}

/** The request comes from the host, which this process may trust. */
function isRequest(header: unknown): header is AnalysisRequest {
  return typeof header === 'object' && header !== null && 'name' in header && 'ocrSeconds' in header;
}

async function analyse(request: AnalysisRequest, bytes: Uint8Array): Promise<void> {
  const checks: Check[] = [];
  let opened: Opened | undefined;
  const onOpened = (now: Opened) => {
    opened = now;
    const { size_bytes, sha256, ...facts } = now.facts;
    send({ is: 'opened', facts, ...(now.unreadable === undefined ? {} : { unreadable: now.unreadable }) });
  };
  const onCheck = (check: Check) => {
    checks.push(check);
    send({ is: 'check', check });
  };
  await examineBytes(request.name, bytes, { rules, reading: request, onOpened, onCheck });
  const document = opened?.document;
  send({ is: 'examined', fingerprints: document ? await fingerprintsOf(document) : [] });
  if (document && request.previews) {
    const pages = opened?.facts.pages ?? 1;
    for await (const { picture, errorLevels = new Uint8Array(), ...place } of previewsOf(document, pages, checks))
      writeFrame({ is: 'preview', ...place, pictureBytes: picture.length }, Buffer.concat([picture, errorLevels]));
  }
  send({ is: 'end' });
}

async function inspect(bytes: Uint8Array): Promise<void> {
  const obstacle = await obstacleIn(bytes);
  send({ is: 'inspected', ...(obstacle ? { obstacle } : {}) });
  send({ is: 'end' });
}

// A spare loads pdf.js while it waits, so that its document does not.
if (process.argv[2] === 'spare') await reader();
send({ is: 'ready', planned: rules.map(aboutRule) });
const request = readRequest();
if (request && isRequest(request.header))
  if (request.header.inspect) await inspect(request.bytes);
  else await analyse(request.header, request.bytes);
