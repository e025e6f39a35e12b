import type { Outcome } from '@tenant-screening/forensics/result';
import type { Method, Truth } from './truth.ts';

/** The expected findings for each kind of document, as data shared by the measurement, the tests and readers. */
export interface Expectation {
  method: Method;
  kind: 'pdf' | 'picture';
  /** `bound`: other figures of the document contradict the new value, or it has check digits; `free`: nothing contradicts it. */
  change: 'none' | 'any' | 'bound' | 'free';
  outcomes: readonly Outcome[];
  /** What a finding must name or mark. */
  evidence: 'none' | 'value' | 'signature' | 'metadata' | 'place';
  /**
   * Whether the file alone reveals the change: `always`; `sometimes`, depending on how often and how strongly a picture was
   * compressed; or `never`. Only `always` is promised; all are counted.
   */
  tells: 'always' | 'sometimes' | 'never';
  why: string;
}

const CLEAN: readonly Outcome[] = ['no_finding', 'inconclusive'];
/** A print, a scan or a picture never gets the verdict that nothing was found. */
const COPY: readonly Outcome[] = ['inconclusive'];
const COPIES = new Set<Method>(['printed', 'redistilled', 'scanned', 'scanned-with-text', 'scan-splice', 'print-scan']);
const CAUGHT: readonly Outcome[] = ['tampered', 'suspicious'];
const TAMPERED: readonly Outcome[] = ['tampered'];
const ANY: readonly Outcome[] = ['tampered', 'suspicious', 'no_finding', 'inconclusive'];

type Line = [Method, Expectation['change'], Expectation['tells'], readonly Outcome[], Expectation['evidence'], string];

const isCopy = (kind: Expectation['kind'], method: Method) => kind === 'picture' || COPIES.has(method);

const genuine = (kind: Expectation['kind'], lines: [Method, string][]): Expectation[] =>
  lines.map(([method, why]) => ({
    method,
    kind,
    change: 'none',
    outcomes: isCopy(kind, method) ? COPY : CLEAN,
    evidence: 'none',
    tells: 'always',
    why,
  }));

const tampered = (kind: Expectation['kind'], lines: Line[]): Expectation[] =>
  lines.map(([method, change, tells, outcomes, evidence, why]) => ({
    method,
    kind,
    change,
    tells,
    outcomes: isCopy(kind, method) ? outcomes.filter((outcome) => outcome !== 'no_finding') : outcomes,
    evidence,
    why,
  }));

export const expectations: readonly Expectation[] = [
  ...genuine('pdf', [
    ['as-produced', 'Nothing happened to it.'],
    ['linearised', 'Bytes in another order, for reading while loading.'],
    ['qpdf-resaved', 'Rewritten, nothing changed.'],
    ['object-streams', 'Rewritten, objects packed together.'],
    ['compressed', 'Rewritten, smaller.'],
    ['pdf-lib-resaved', 'A portal saved it, with or without its name.'],
    ['encrypted', 'Opens without a password, as banks like it.'],
    ['signed', 'The signature is a revision of its own.'],
    ['timestamped', 'Two signatures, the second one of an archive.'],
    ['form-filled', 'Answers in fields that were empty.'],
    ['watermarked', 'Faint letters across every page.'],
    ['stamped', 'A stamp of a viewer beside the text.'],
    ['annotated', 'Marked with colour, and a note.'],
    ['merged', 'Two files in one.'],
    ['printed', 'Pages drawn into a new file, smaller.'],
    ['redistilled', 'Printed to PDF by other software.'],
    ['scanned', 'Pictures only.'],
    ['scanned-with-text', 'Pictures with what was read in them below, misreadings too.'],
  ]),
  ...genuine('picture', [
    ['photo', 'By hand, in the light of a room.'],
    ['messenger', 'Made smaller and saved again on the way.'],
    ['camera', 'With EXIF and a thumbnail of itself.'],
    ['screenshot', 'A page in a window.'],
    ['scan-picture', 'From a scanner, as JPEG or PNG.'],
  ]),
  ...tampered('pdf', [
    ['overlay', 'any', 'always', TAMPERED, 'value', 'What was covered is still below.'],
    ['free-text', 'any', 'always', CAUGHT, 'value', 'What the comment covers is still below.'],
    ['incremental-edit', 'any', 'always', TAMPERED, 'value', 'The file as it was is still inside.'],
    ['after-signing', 'any', 'always', TAMPERED, 'value', 'The signed file is still inside.'],
    ['signed-rewrite', 'any', 'always', TAMPERED, 'signature', 'The signature fits no more; the former value is gone.'],
    [
      'rewrite-orphan',
      'any',
      'always',
      CAUGHT,
      'value',
      'The former content is in the file, and nothing refers to it.',
    ],
    ['font-swap', 'any', 'always', CAUGHT, 'value', 'One value stands in another font than what is around it.'],
    ['hidden-original', 'any', 'always', CAUGHT, 'value', 'The former value is in the file, without paint.'],
    ['foreign-three', 'any', 'always', CAUGHT, 'value', 'Three values stand in another font than what is around them.'],
    ['foreign-all', 'any', 'sometimes', ANY, 'value', 'Forms filled by another program look the same.'],
    ['picture-value', 'any', 'always', CAUGHT, 'place', 'A picture stands where a figure belongs.'],
    ['picture-over', 'any', 'always', CAUGHT, 'value', 'What the picture covers is still below.'],
    ['outlined-value', 'any', 'always', CAUGHT, 'place', 'Curves stand where a figure belongs.'],
    ['text-removed', 'any', 'sometimes', ANY, 'place', 'A label has no value, or a row of figures a gap.'],
    ['consistent-rewrite', 'any', 'sometimes', ANY, 'value', 'Every sum comes out; only how it is written can tell.'],
    ['replaced-picture', 'any', 'always', CAUGHT, 'place', 'The honest scan is in an earlier revision.'],
    ['rewrite-clean', 'bound', 'always', CAUGHT, 'value', 'The figures do not fit each other.'],
    ['metadata-scrub', 'bound', 'always', CAUGHT, 'value', 'The figures do not fit each other.'],
    ['in-place', 'bound', 'always', CAUGHT, 'value', 'The figures do not fit each other.'],
    ['metadata', 'bound', 'always', CAUGHT, 'metadata', 'An earlier version states another date.'],
    ['scan-splice', 'any', 'never', ANY, 'none', 'A piece of the picture has another history, which no rule reads.'],
    [
      'print-scan',
      'bound',
      'sometimes',
      ANY,
      'value',
      'The figures do not fit, but what is read in a picture never decides alone.',
    ],
    ['print-scan', 'free', 'never', ANY, 'none', 'An honest scan of a forged page.'],
    [
      'rewrite-clean',
      'free',
      'never',
      ANY,
      'none',
      'Nothing of the former file is left, and no figure depends on the value.',
    ],
    ['metadata-scrub', 'free', 'sometimes', ANY, 'value', 'How the page is written and packed may tell.'],
    ['in-place', 'free', 'never', ANY, 'none', 'Only these bytes changed, and no figure depends on the value.'],
    ['metadata', 'free', 'never', ANY, 'none', 'Templates and archives leave such dates, too.'],
  ]),
  ...tampered('picture', [
    ['splice', 'any', 'never', ANY, 'none', 'A piece of the picture has another history, which no rule reads.'],
    ['copy-move', 'any', 'never', ANY, 'none', 'A piece of the picture lies on another grid, which no rule reads.'],
    ['edited-camera', 'any', 'never', ANY, 'none', 'As spliced; an editor’s name accuses no one.'],
    [
      'edited-screenshot',
      'bound',
      'sometimes',
      ANY,
      'value',
      'The figures do not fit, but what is read in a picture never decides alone.',
    ],
    ['edited-screenshot', 'free', 'never', ANY, 'none', 'Pixels without a history.'],
    [
      'retaken',
      'bound',
      'sometimes',
      ANY,
      'value',
      'The figures do not fit, but what is read in a picture never decides alone.',
    ],
    ['retaken', 'free', 'never', ANY, 'none', 'An honest photo of a forged page.'],
  ]),
];

/** @throws when the table has no row for it */
export function expectationOf({ method, kind, changes }: Pick<Truth, 'method' | 'kind' | 'changes'>): Expectation {
  const change = changes.length === 0 ? 'none' : changes.some(({ bound }) => bound) ? 'bound' : 'free';
  const group = kind === 'pdf' ? 'pdf' : 'picture';
  const line = expectations.find(
    (one) => one.method === method && one.kind === group && [change, 'any'].includes(one.change),
  );
  if (!line) throw new Error(`No expectation of ${method}, ${group}, ${change}.`);
  return line;
}
