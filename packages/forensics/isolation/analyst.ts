import { aboutRule } from '../examine.ts';
import { examineBytes } from '../examine-bytes.ts';
import { fingerprintsOf } from '../fingerprints.ts';
import type { Opened } from '../open-document.ts';
import { reader } from '../pdf/paint/open.ts';
import { previewsOf } from '../previews.ts';
import type { Check } from '../result.ts';
import { rules } from '../rules/index.ts';
import { hear, say } from './inside.ts';
import type { Asked, Told } from './message.ts';

/** The program behind the walls: hears one document, tells what it finds in it, and ends. */

function tell(told: Exclude<Told, { is: 'preview' }>): void {
  say(told);
}

/** Ours: it comes from the service, whom this process may believe. */
function isAsked(header: unknown): header is Asked {
  return typeof header === 'object' && header !== null && 'name' in header && 'ocrSeconds' in header;
}

async function analyse(asked: Asked, bytes: Uint8Array): Promise<void> {
  const checks: Check[] = [];
  let opened: Opened | undefined;
  const onOpened = (now: Opened) => {
    opened = now;
    const { size_bytes, sha256, ...facts } = now.facts;
    tell({ is: 'opened', facts, ...(now.unreadable === undefined ? {} : { unreadable: now.unreadable }) });
  };
  const onCheck = (check: Check) => {
    checks.push(check);
    tell({ is: 'check', check });
  };
  await examineBytes(asked.name, bytes, { rules, reading: asked, onOpened, onCheck });
  const document = opened?.document;
  tell({ is: 'examined', fingerprints: document ? await fingerprintsOf(document) : [] });
  if (document && asked.previews) {
    const pages = opened?.facts.pages ?? 1;
    for await (const { picture, errorLevels = new Uint8Array(), ...place } of previewsOf(document, pages, checks))
      say({ is: 'preview', ...place, pictureBytes: picture.length }, Buffer.concat([picture, errorLevels]));
  }
  tell({ is: 'end' });
}

// While it waits for a document, so that the document does not wait for it.
if (process.argv[2] === 'spare') await reader();
tell({ is: 'ready', planned: rules.map(aboutRule) });
const request = hear();
if (request && isAsked(request.header)) await analyse(request.header, request.bytes);
