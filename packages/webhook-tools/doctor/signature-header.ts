import { type Finding, fault, note } from './finding.ts';

/** The only form of signature that libraries accept between spaces. */
const AS_SENT = /^v1,[A-Za-z0-9+/]{43}=$/;

export interface Signatures {
  /** The `v1` signatures as sent, repaired as far as possible: `v1,` and base64. */
  signatures: string[];
  /** Prefixes of truncated signatures, long enough to be unique. */
  beginnings: string[];
}

const SIGNATURE_LENGTH = 44;
const MIN_BEGINNING_LENGTH = 12;
/** A version, its separator, and base64 in either alphabet. */
const TOKEN = /\b(v\d+a?)([,=:])\s*["']?([A-Za-z0-9+/_-]+={0,2})/g;
/** Commas between two signatures. Base64 may begin with `v7` as well, so the separator after the version counts. */
const JOINED = /(?<=[A-Za-z0-9+/=]["']?)\s*[,;]\s*["']?(?=v\d+a?[,=:])/g;

/** Adds faults of the header to `findings`. */
export function readSignatures(value: string, findings: Finding[]): Signatures {
  const before = findings.length;
  const tokens = [...mend(value, findings).matchAll(TOKEN)].map(([, version = '', mark = '', code = '']) => ({
    version,
    mark,
    code,
  }));
  const ours = tokens.filter(({ version }) => version === 'v1');
  reportVersions(tokens, ours.length, findings);
  if (ours.some(({ mark }) => mark !== ','))
    findings.push(changed('signature-mark', 'Something other than a comma separates v1 and the signature.'));
  if (ours.some(({ code }) => /[-_]/.test(code)))
    findings.push(changed('signature-base64url', 'The signature is in the alphabet for URLs (- and _).'));
  const codes = ours.map(({ code }) => code.replaceAll('-', '+').replaceAll('_', '/'));
  const whole = codes.filter((code) => code.length >= SIGNATURE_LENGTH).map((code) => code.slice(0, SIGNATURE_LENGTH));
  const cut = codes.filter((code) => code.length < SIGNATURE_LENGTH);
  if (cut.length > 0)
    findings.push(
      changed(
        'signature-truncated',
        `A signature has ${cut.at(-1)?.length} characters in place of ${SIGNATURE_LENGTH}: it was cut.`,
        'A column, a log or a header limit was too short for it, or its = was lost.',
      ),
    );
  const isReported = findings.slice(before).some(({ level }) => level === 'fault');
  if (!isReported && value.split(' ').filter((part) => AS_SENT.test(part)).length < ours.length)
    findings.push(
      changed('signature-surrounded', 'Something other than single spaces is before, between or after the signatures.'),
    );
  return {
    signatures: whole.map((code) => `v1,${code}`),
    beginnings: cut.filter((code) => code.length >= MIN_BEGINNING_LENGTH).map((code) => `v1,${code}`),
  };
}

/** Undoes changes to the header as a whole. */
function mend(value: string, findings: Finding[]): string {
  let mended = value;
  if (/%(2[bcf]|3d|20)/i.test(mended)) {
    findings.push(changed('signature-url-encoded', 'The header is URL-encoded.'));
    mended = mended.replace(/%(2[bcf]|3d|20)/gi, (code) => decodeURIComponent(code));
  }
  const apart = mended.replace(JOINED, ' ');
  if (apart !== mended) {
    findings.push(
      changed(
        'signatures-joined-by-commas',
        'Commas separate the signatures.',
        'We send spaces. A framework that keeps headers as lists joins them with commas.',
      ),
    );
    mended = apart;
  }
  const withPlus = mended.replace(/\bv1,[A-Za-z0-9+/ ]{43}=/g, (token) => token.replaceAll(' ', '+'));
  if (withPlus !== mended) findings.push(changed('signature-plus-lost', 'The + of a signature became a space.'));
  const bare = /^[A-Za-z0-9+/]{43}=$/.test(withPlus);
  if (bare) findings.push(changed('signature-without-version', 'The signature lacks the v1, in front of it.'));
  return bare ? `v1,${withPlus}` : withPlus;
}

function reportVersions(tokens: { version: string }[], ours: number, findings: Finding[]): void {
  const others = [...new Set(tokens.map(({ version }) => version).filter((version) => version !== 'v1'))].join(', ');
  if (tokens.length === 0)
    findings.push(changed('signature-malformed', 'webhook-signature holds nothing of the form v1,<base64>.'));
  else if (ours === 0)
    findings.push(
      fault(
        'signature-other-version',
        `The only signatures are of version ${others}.`,
        'We sign with v1 (HMAC-SHA256) only, so this is not our delivery, or its header was changed.',
        'Check where the request comes from.',
      ),
    );
  else if (others)
    findings.push(
      note(
        'signature-other-versions',
        `Beside v1 there are signatures of version ${others}.`,
        'We send v1 only; receivers ignore unknown versions.',
        '',
      ),
    );
}

const ON_THE_WAY = 'We send v1, and base64, with spaces between several. Something on the way rewrote it.';

function changed(code: string, found: string, why = ON_THE_WAY): Finding {
  return fault(code, found, why, 'Give the library the header as it was sent.');
}
