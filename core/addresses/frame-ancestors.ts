const ANY_ORIGIN = /^(\*|https?:)$/i;
const ORIGIN = /^https?:\/\/((\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(:(?<port>\d{1,5}|\*))?$/i;
const MAX_PORT = 65_535;

/** Live requires explicit origins: a page that any site may frame is open to clickjacking. */
export function readFrameAncestors(text: string | undefined, mode: 'sandbox' | 'live', faults: string[]): string {
  const sources = (text ?? '').trim().split(/\s+/).filter(Boolean);
  if (sources.length === 0) {
    if (mode === 'live')
      faults.push("FRAME_ANCESTORS is missing; name the origins that show verifications in a frame, or 'none'.");
    return '*';
  }
  const wrong = sources.find((source) => !isSource(source) && !(source === "'none'" && sources.length === 1));
  if (wrong)
    faults.push(`FRAME_ANCESTORS has "${wrong}"; use origins such as https://app.example, separated by spaces.`);
  const wildcard = mode === 'live' && sources.find((source) => ANY_ORIGIN.test(source));
  if (wildcard) faults.push(`FRAME_ANCESTORS has "${wildcard}", which allows any site; live requires named origins.`);
  return sources.join(' ');
}

function isSource(text: string): boolean {
  const origin = ORIGIN.exec(text)?.groups;
  if (!origin) return text === "'self'" || ANY_ORIGIN.test(text);
  return origin['port'] === undefined || origin['port'] === '*' || Number(origin['port']) <= MAX_PORT;
}
