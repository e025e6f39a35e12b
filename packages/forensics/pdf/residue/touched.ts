import { isCompany } from '../../content/claims/companies.ts';
import { NAME_LABEL } from '../../content/claims/people.ts';
import { folded } from '../../content/labels.ts';
import type { Box } from '../../model.ts';
import type { Finding, Strength } from '../../rule.ts';
import { pageStates } from '../diff/states.ts';
import { cut, isLikeName, kindOf, quoted } from '../diff/values.ts';
import { changesOf, textOf } from '../diff/word-changes.ts';
import { listOf, nameOf, textOf as stringOf } from '../objects.ts';
import { union } from '../paint/matrix.ts';
import type { Structure } from '../structure.ts';
import type { Word } from '../text/words.ts';
import { isKeyword } from '../tokens.ts';
import { contentTokens, pageContent, withContent } from './content.ts';

const MARK = 'TouchUp_TextEdit';
const PAGES = 500;
const LISTED = 20;

/**
 * Text after the mark that Acrobat's text-editing tool sets before what it writes, found by comparing the page with and without it.
 * Authors of forms use the tool, too, so amounts and accounts are strong, dates and names medium, and other words context.
 */
export async function touchedText(structure: Structure): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [index, page] of structure.current.pages().slice(0, PAGES).entries()) {
    const content = pageContent(structure, page);
    if (content === undefined || !Buffer.from(content).includes(MARK)) continue;
    const without = blanked(content);
    const former = without && withContent(structure, page, without);
    findings.push(former === undefined ? unnamed(index + 1) : await named(structure.bytes, former, index));
    if (findings.length >= LISTED) break;
  }
  return findings;
}

async function named(bytes: Uint8Array, former: Uint8Array, index: number): Promise<Finding> {
  const [now, without] = [(await pageStates(bytes))[index], (await pageStates(former))[index]];
  if (now === undefined || without === undefined) return unnamed(index + 1);
  const state = ({ text, paint }: typeof now) => ({ words: text.items, view: paint.view });
  const texts = changesOf(state(without), state(now)).filter(({ after }) => after.length > 0);
  const values = texts.map(({ after }) => ({ value: textOf(after), box: after.map(({ box }) => box).reduce(union) }));
  const first = values.find(({ value }) => isFigure(value)) ?? values[0];
  if (first === undefined) return unnamed(index + 1);
  return {
    message: `${quoted(first.value)} on page ${index + 1} was written with Acrobat's tool for editing the text of a finished document.`,
    strength: strengthOf(values.map(({ value, box }) => ({ value, before: wordsBefore(now.text.items, box) }))),
    evidence: values.map(({ value, box }) => ({
      page: index + 1,
      box,
      after: cut(value, 300),
      details: { mark: MARK },
    })),
  };
}

function strengthOf(values: readonly { value: string; before: string }[]): Strength {
  if (values.some(({ value }) => isFigure(value))) return 'strong';
  const isTelling = values.some(
    ({ value, before }) =>
      kindOf(value) === 'date' || isCompany(value) || (isLikeName(value) && NAME_LABEL.test(folded(before))),
  );
  return isTelling ? 'medium' : 'context';
}

function isFigure(value: string): boolean {
  const kind = kindOf(value);
  return kind === 'amount' || kind === 'IBAN';
}

/** The words of the line to the left of a box. */
function wordsBefore(words: readonly Word[], box: Box): string {
  const middle = box.y + box.height / 2;
  const before = words.filter(
    (word) => word.box.x < box.x && word.box.y < middle && word.box.y + word.box.height > middle,
  );
  return before.map(({ text }) => text).join(' ');
}

function unnamed(page: number): Finding {
  return {
    message: `Acrobat's tool for editing the text of a finished document was used on page ${page}.`,
    strength: 'context',
    evidence: [{ page, details: { mark: MARK } }],
  };
}

/** The content without any text between a mark and the end of its block; undefined if there is none. */
function blanked(content: Uint8Array): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let kept = 0;
  let isTouched = false;
  let marked = false;
  const blank = (start: number, end: number) => {
    parts.push(content.subarray(kept, start), Buffer.from('()'));
    kept = end;
  };
  for (const { token, start, end } of contentTokens(content)) {
    if (isKeyword(token)) {
      if (marked && (token.keyword === 'MP' || token.keyword === 'BMC')) isTouched = true;
      if (token.keyword === 'ET' || token.keyword === 'EMC') isTouched = false;
      marked = false;
    } else if (nameOf(token) === MARK) marked = true;
    else if (isTouched && stringOf(token) !== undefined) blank(start, end);
    else if (isTouched)
      for (const part of listOf(token) ?? []) {
        const text = stringOf(part);
        if (text !== undefined) blank(text.start, text.end);
      }
  }
  parts.push(content.subarray(kept));
  return kept === 0 ? undefined : new Uint8Array(Buffer.concat(parts));
}
