import type { Rule } from '../rule.ts';
import { contributionRates } from './content/contribution-rates.ts';
import { ibanCheckDigits } from './content/iban-check-digits.ts';
import { mrzCheckDigits } from './content/mrz-check-digits.ts';
import { namesAgree } from './content/names-agree.ts';
import { nationalIdCheckDigits } from './content/national-id-check-digits.ts';
import { payslipArithmetic } from './content/payslip-arithmetic.ts';
import { seenElsewhere } from './content/seen-elsewhere.ts';
import { statementArithmetic } from './content/statement-arithmetic.ts';
import { yearShares } from './content/year-shares.ts';
import { copiedDocument } from './pdf/copied-document.ts';
import { coveredText } from './pdf/covered-text.ts';
import { editorResidue } from './pdf/editor-residue.ts';
import { foreignFont } from './pdf/foreign-font.ts';
import { knownEditor } from './pdf/known-editor.ts';
import { metadataContradiction } from './pdf/metadata-contradiction.ts';
import { parsersDisagree } from './pdf/parsers-disagree.ts';
import { picturedValue } from './pdf/pictured-value.ts';
import { revisedPicture } from './pdf/revised-picture.ts';
import { revisedText } from './pdf/revised-text.ts';
import { signatures } from './pdf/signatures.ts';
import { unusedGlyphs } from './pdf/unused-glyphs.ts';
import { c2paManifest } from './picture/c2pa-manifest.ts';
import { hiddenOriginal } from './text/hidden-original.ts';
import { otherHand } from './text/other-hand.ts';
import { textAsShown } from './text/text-as-shown.ts';

/**
 * All rules, in the order in which they run and are reported. Rules that may need OCR, which is slow, run late: if a document runs out of
 * time, the results so far count.
 */
export const rules: readonly Rule[] = [
  revisedText,
  revisedPicture,
  signatures,
  coveredText,
  hiddenOriginal,
  foreignFont,
  otherHand,
  picturedValue,
  unusedGlyphs,
  editorResidue,
  parsersDisagree,
  knownEditor,
  metadataContradiction,
  seenElsewhere,
  statementArithmetic,
  payslipArithmetic,
  yearShares,
  contributionRates,
  mrzCheckDigits,
  ibanCheckDigits,
  nationalIdCheckDigits,
  namesAgree,
  textAsShown,
  copiedDocument,
  c2paManifest,
];
