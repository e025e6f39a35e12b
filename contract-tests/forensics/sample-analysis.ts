import type { AnalysedDocument, Analysis, Preview } from '../../forensics/analysis.ts';
import { outcomeOf } from '../../forensics/outcome.ts';
import type { Check } from '../../forensics/result.ts';
import type { Family, Finding, Strength } from '../../forensics/rule.ts';

/** An analysis as the engine makes it, with everything that a report can have to show. */

export const HOSTILE = '<script>alert(1)</script>\u001b[31m\u202eevil\u0007';

export function check(
  rule: string,
  strength: Strength,
  family: Family,
  told: Partial<Check> = { status: 'passed' },
): Check {
  const title = rule.charAt(0).toUpperCase() + rule.slice(1).replaceAll('-', ' ');
  return { rule, version: 1, title, strength, family, status: 'passed', ...told };
}

export function found(strength: Strength, ...findings: Finding[]): Partial<Check> {
  return { status: 'finding', findings: findings.map((finding) => ({ strength, ...finding })) };
}

export function analysed(name: string, checks: Check[], told: Partial<AnalysedDocument> = {}): AnalysedDocument {
  const facts = {
    kind: 'pdf' as const,
    size_bytes: 48_213,
    sha256: '9f2c'.repeat(16),
    pages: 2,
    producer: 'iText 2.1.7 by 1T3XT',
  };
  return { document_id: `./${name}`, name, outcome: outcomeOf(checks, told.reason), facts, checks, ...told };
}

const amount = { x: 430, y: 318, width: 52, height: 11 };

const tampered = analysed('payslip-2026-03.pdf', [
  check(
    'metadata-contradiction',
    'medium',
    'structure',
    found('medium', {
      message: 'The file says that it was changed three days after it was made, by another program.',
      evidence: [
        {
          before: 'SAP NetWeaver 750',
          after: 'PDFescape Online',
          details: { createdAt: '2026-03-01', days_between: 3 },
        },
      ],
    }),
  ),
  check(
    'revised-text',
    'strong',
    'structure',
    found('strong', {
      message: 'The net pay on page 1 read 1.250,00 in an earlier version of the file and reads 2.850,00 now.',
      evidence: [
        { page: 1, box: amount, before: '1.250,00', after: '2.850,00', offset: 40_112, length: 96 },
        { page: 2, box: { ...amount, y: 140 }, before: '1.250,00', after: '2.850,00' },
      ],
    }),
  ),
  check(
    'hidden-text',
    'context',
    'content',
    found('context', {
      message: 'Page 2 holds text that cannot be seen.',
      evidence: [{ page: 2, box: { x: 80, y: 600, width: 200, height: 12 }, after: HOSTILE }],
    }),
  ),
  check('digital-signatures', 'strong', 'structure', { status: 'not_applicable', reason: 'The file is not signed.' }),
  check('payslip-arithmetic', 'strong', 'content'),
  check('iban-check-digits', 'medium', 'content'),
  check('covered-text', 'strong', 'content', { status: 'unreadable', reason: 'Page 2 cannot be drawn.' }),
  check('font-outlier', 'medium', 'content', { status: 'error' }),
  check('jpeg-ghost', 'medium', 'image', { status: 'not_applicable', reason: 'For other kinds of files.' }),
]);

const byTwoKinds = analysed('statement.pdf', [
  check(
    'known-editor',
    'medium',
    'structure',
    found('medium', { message: 'The file was saved by an editor.', evidence: [{}] }),
  ),
  check(
    'font-outlier',
    'medium',
    'content',
    found('medium', {
      message: 'One amount stands in another font than the others in its column.',
      evidence: [{ page: 1, box: amount, before: 'Helvetica', after: 'ArialMT' }],
    }),
  ),
]);

const suspicious = analysed(
  'identity-card.jpg',
  [
    check('jpeg-ghost', 'medium', 'image', {
      ...found('medium', {
        message: 'One part of the picture was compressed another time than the rest.',
        evidence: [{ box: { x: 620, y: 410, width: 240, height: 90 } }],
      }),
    }),
    check('exif-thumbnail', 'medium', 'image'),
  ],
  { facts: { kind: 'jpeg', size_bytes: 1_214_000, sha256: 'ab'.repeat(32), width: 1600, height: 1000 } },
);

const inconclusive = analysed(
  'contract.pdf',
  [check('revised-text', 'strong', 'structure', { status: 'unreadable', reason: 'The file is encrypted.' })],
  { reason: 'The file is encrypted: it asks for a password.' },
);

const clean = analysed('statement-2026-02.pdf', [
  check('revised-text', 'strong', 'structure'),
  check('statement-arithmetic', 'strong', 'content'),
]);

const hostile = analysed(`${HOSTILE}.pdf`, [
  check(
    'attachments',
    'context',
    'structure',
    found('context', {
      message: `It holds a file called ${HOSTILE}.`,
      evidence: [
        {
          page: 1,
          box: { x: Number.NaN, y: 0, width: 1e9, height: -5 },
          before: HOSTILE,
          after: 'x'.repeat(5000),
          details: { [HOSTILE]: HOSTILE },
        },
      ],
    }),
  ),
]);

export const sample: Analysis = {
  engine: { name: 'tenant-screening-forensics', version: '1.0.0' },
  documents: [tampered, byTwoKinds, suspicious, inconclusive, clean, hostile],
};

// A grey pixel: what is tested is where it stands.
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABBAEAXrYIAwAAAABJRU5ErkJggg==',
  'base64',
);

export function blankPreview(page: number, told: Partial<Preview> = {}): Preview {
  return { page, width: 595, height: 842, picture: PIXEL, ...told };
}

export const samplePreviews = new Map<string, Preview[]>([
  [tampered.document_id, [blankPreview(2), blankPreview(1)]],
  [suspicious.document_id, [blankPreview(1, { width: 1600, height: 1000, errorLevels: PIXEL })]],
  [clean.document_id, [blankPreview(1), blankPreview(2)]],
  [hostile.document_id, [blankPreview(1)]],
]);
