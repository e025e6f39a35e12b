import type { Rule } from '../rule.ts';
import { attachments } from './attachments.ts';
import { c2paManifest } from './c2pa-manifest.ts';
import { cameraClaims } from './camera-claims.ts';
import { coveredText } from './covered-text.ts';
import { editorResidue } from './editor-residue.ts';
import { errorLevel } from './error-level.ts';
import { exifThumbnail } from './exif-thumbnail.ts';
import { fontOutlier } from './font-outlier.ts';
import { hiddenText } from './hidden-text.ts';
import { ibanCheckDigits } from './iban-check-digits.ts';
import { imageOnlyPages } from './image-only-pages.ts';
import { javascript } from './javascript.ts';
import { jpegGhost } from './jpeg-ghost.ts';
import { knownEditor } from './known-editor.ts';
import { metadataContradiction } from './metadata-contradiction.ts';
import { mrzCheckDigits } from './mrz-check-digits.ts';
import { nationalIdCheckDigits } from './national-id-check-digits.ts';
import { payslipArithmetic } from './payslip-arithmetic.ts';
import { pngResidue } from './png-residue.ts';
import { revisedPicture } from './revised-picture.ts';
import { revisedText } from './revised-text.ts';
import { seenElsewhere } from './seen-elsewhere.ts';
import { signatures } from './signatures.ts';
import { statementArithmetic } from './statement-arithmetic.ts';
import { trailerIds } from './trailer-ids.ts';
import { writerFingerprint } from './writer-fingerprint.ts';

/**
 * All rules, in the order in which they are run and told. Those that may have text read from pictures, which takes long, come
 * late: when a document runs out of time, what was done before counts.
 */
export const rules: readonly Rule[] = [
  revisedText,
  revisedPicture,
  signatures,
  coveredText,
  fontOutlier,
  editorResidue,
  writerFingerprint,
  trailerIds,
  knownEditor,
  metadataContradiction,
  cameraClaims,
  exifThumbnail,
  jpegGhost,
  pngResidue,
  seenElsewhere,
  statementArithmetic,
  payslipArithmetic,
  mrzCheckDigits,
  ibanCheckDigits,
  nationalIdCheckDigits,
  hiddenText,
  imageOnlyPages,
  attachments,
  javascript,
  c2paManifest,
  errorLevel,
];
