const SOURCE = /^(\*|'self'|https?:|https?:\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:(\d{1,5}|\*))?)$/i;

/**
 * Who may show the verification pages in a frame, as Content Security Policy words it: origins, or `*`, or `'none'`.
 * Live names them, because a page that anybody may frame can be laid under another.
 */
export function readFrameAncestors(text: string | undefined, mode: 'sandbox' | 'live', faults: string[]): string {
  const sources = (text ?? '').trim().split(/\s+/).filter(Boolean);
  if (sources.length === 0) {
    if (mode === 'live')
      faults.push("FRAME_ANCESTORS is missing; name the origins that show verifications in a frame, or 'none'.");
    return '*';
  }
  const wrong = sources.find((source) => !SOURCE.test(source) && !(source === "'none'" && sources.length === 1));
  if (wrong)
    faults.push(`FRAME_ANCESTORS has "${wrong}"; use origins such as https://app.example, separated by spaces.`);
  return sources.join(' ');
}
