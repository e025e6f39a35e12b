import type { Box } from '@tenant-screening/forensics/model';
import type { Check, CheckFinding, DocumentResult } from '@tenant-screening/forensics/result';
import { type Expectation, expectationOf } from './expectations.ts';
import type { Change, Truth } from './truth.ts';

/** How a result compares with the ground truth. */
interface Judgement {
  expectation: Expectation;
  outcomeExpected: boolean;
  /** Whether a counted finding names the changed value, or marks its place. */
  evidence: boolean;
}

const METADATA_RULES = ['metadata-contradiction'];

export function judge(truth: Truth, result: Pick<DocumentResult, 'outcome' | 'checks'>): Judgement {
  const expectation = expectationOf(truth);
  const evidence = truth.changes.some((change) => isShown(change, expectation.evidence, result.checks));
  return { expectation, outcomeExpected: expectation.outcomes.includes(result.outcome), evidence };
}

function isShown(change: Change, wanted: Expectation['evidence'], checks: readonly Check[]): boolean {
  const named = findingsOf(checks).some((finding) => names(finding, change));
  if (wanted === 'signature') return named || findingsOf(checks, ['signatures']).length > 0;
  if (wanted === 'metadata') return findingsOf(checks, METADATA_RULES).some((finding) => names(finding, change));
  if (wanted === 'value' && findingsOf(checks).some((finding) => differsAsMuch(finding, change))) return true;
  return named || (wanted === 'place' && findingsOf(checks).some((finding) => shows(finding, change)));
}

/** The deciding findings. */
function findingsOf(checks: readonly Check[], rules?: readonly string[]): CheckFinding[] {
  const wanted = checks.filter(({ rule }) => !rules || rules.includes(rule));
  return wanted.flatMap(({ findings = [] }) => findings).filter(({ strength }) => strength !== 'context');
}

/** The whole value, or its changed words: for "Anna Weber" changed to "Anna Krug", "Krug". */
function names({ message, evidence }: CheckFinding, { before, after }: Change): boolean {
  const said = [message, ...evidence.flatMap(textsOf)].map(joined);
  const holds = (text: string) => text.length > 1 && said.some((one) => includes(one, joined(text)));
  return (
    holds(before) || holds(after) || changedWords(after, before).some(holds) || changedWords(before, after).some(holds)
  );
}

/** Does not match a part of a longer number. */
function includes(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const [before, after] = [
      text.slice(Math.max(0, at - 1), at),
      text.slice(at + wanted.length, at + wanted.length + 2),
    ];
    const grows = /^\d/.test(wanted) && /[\d.,]$/.test(before) && /\d/.test(text.slice(Math.max(0, at - 2), at));
    if (!grows && !(/\d$/.test(wanted) && /^[.,]?\d/.test(after))) return true;
  }
  return false;
}

/** Where only a sum reveals the change, the changed item is unknown, but the difference is known. */
function differsAsMuch({ evidence }: CheckFinding, { before, after }: Change): boolean {
  const wanted = differenceOf(before, after);
  return wanted > 0 && evidence.some((one) => differenceOf(one.before ?? '', one.after ?? '') === wanted);
}

/** In cents; NaN when one of them is not an amount. */
function differenceOf(before: string, after: string): number {
  return Math.abs(centsOf(before) - centsOf(after));
}

function centsOf(text: string): number {
  return /\d[.,]\d\d(?!\d)/.test(text) ? Number(text.replace(/[^\d]/g, '')) * (/-|−/.test(text) ? -1 : 1) : Number.NaN;
}

function textsOf({ before = '', after = '', details = {} }: CheckFinding['evidence'][number]): string[] {
  return [before, after, ...Object.values(details).map(String)];
}

function changedWords(text: string, other: string): string[] {
  const kept = new Set(other.split(/\s/));
  return text.split(/\s/).filter((word) => word.length > 2 && !kept.has(word));
}

/** Ignores spaces, currency symbols and date separators. */
function joined(text: string): string {
  return text.replace(/\s|[€£$]|zł/g, '').replace(/(\d{4})-(\d\d)-(\d\d)/g, '$1$2$3');
}

const MAX_SHARE = 30;

/** A box around the value or its changed letters, and not so large that it would cover anything. */
function shows({ evidence }: CheckFinding, { page, place }: Change): boolean {
  if (!place) return false;
  return evidence.some((one) => {
    if (!one.box || (one.page ?? 1) !== page) return false;
    const isSmall = one.box.width * one.box.height < MAX_SHARE * place.width * place.height;
    return isSmall && (holdsMiddle(one.box, place, 0) || holdsMiddle(place, one.box, 0.75 * place.height));
  });
}

/** @param around the tolerance outside the box */
function holdsMiddle(box: Box, other: Box, around: number): boolean {
  const [x, y] = [other.x + other.width / 2 - box.x, other.y + other.height / 2 - box.y];
  return x >= -around && y >= -around && x <= box.width + around && y <= box.height + around;
}
