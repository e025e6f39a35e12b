import { readFrameAncestors } from '../addresses/frame-ancestors.ts';
import { writtenFault } from '../addresses/written-fault.ts';
import { optional, readerOf, text } from './setting.ts';

/** How browsers reach the service, and which other sites may use it. */
export interface OriginSettings {
  /** The base URL for callers and browsers; undefined means the listening address. */
  publicUrl: string | undefined;
  /** The origin of a copy of the reference site that may call this sandbox. */
  docsOrigin: string | undefined;
  /** The `frame-ancestors` of the verification pages (Content Security Policy). */
  frameAncestors: string;
}

export const originSettings = {
  PUBLIC_URL: optional(text, 'Address of the hosted pages in browsers.', 'where it listens'),
  FRAME_ANCESTORS: optional(
    text,
    "Origins that may embed the verification pages, such as `https://app.example https://*.partner.example`, or `'none'`. Live refuses `*`, `https:` and `http:`.",
    '`*` in the sandbox',
  ),
  DOCS_ORIGIN: optional(
    text,
    'Sandbox only: origin of a [published site](install.md#the-reference-site) that may call the API.',
  ),
};

/** Appends problems to `faults`. */
export function readOrigins(env: NodeJS.ProcessEnv, mode: 'sandbox' | 'live', faults: string[]): OriginSettings {
  const read = readerOf(originSettings, env, faults);
  return {
    publicUrl: publicUrl(read('PUBLIC_URL'), mode, faults),
    docsOrigin: docsOrigin(read('DOCS_ORIGIN'), mode, faults),
    frameAncestors: readFrameAncestors(read('FRAME_ANCESTORS'), mode, faults),
  };
}

function publicUrl(given: string | undefined, mode: 'sandbox' | 'live', faults: string[]): string | undefined {
  if (!given) {
    if (mode === 'live') faults.push('PUBLIC_URL is missing; live needs the https address under which it is reached.');
    return undefined;
  }
  const url = URL.parse(given);
  const scheme = url?.protocol === 'https:' || (mode === 'sandbox' && url?.protocol === 'http:');
  if (!url || !scheme || url.search || url.hash) {
    const written =
      writtenFault('uri', given) ?? `use an absolute ${mode === 'live' ? 'https' : 'http or https'} address`;
    faults.push(`PUBLIC_URL is "${given}"; ${written.replace(/^must/, 'it must')}.`);
  }
  return given.replace(/(?<!\/)\/+$/, '');
}

/** Browser access is for trying the sandbox out: only servers may hold live tokens. */
function docsOrigin(given: string | undefined, mode: 'sandbox' | 'live', faults: string[]): string | undefined {
  if (!given) return undefined;
  const url = URL.parse(given);
  if (mode === 'live') faults.push('DOCS_ORIGIN is for the sandbox alone; no page may call live.');
  else if (!url || !/^https?:$/.test(url.protocol) || url.origin !== given)
    faults.push(`DOCS_ORIGIN is "${given}"; use the origin of a site, such as https://docs.example.`);
  return given;
}
