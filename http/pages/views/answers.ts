import { type Html, html } from '../../../core/html.ts';
import type { UploadAnswer } from '../../../core/rules/upload-answers.ts';
import type { Texts } from '../../../core/texts/texts.ts';

/** What the person should know about a document that they handed in, in sentences. */
export function answersIn(t: Texts, answers: readonly UploadAnswer[]): string[] {
  return answers.map((answer) => answerIn(t, answer));
}

function answerIn(t: Texts, answer: UploadAnswer): string {
  switch (answer.kind) {
    case 'look':
      return t.text('documents.answer.look', { look: t.text(`documents.type.${answer.look}`) });
    case 'old':
      return t.text('documents.answer.old', { day: new Date(answer.day), months: answer.months });
    case 'expired':
      return t.text('documents.answer.expired', { day: new Date(answer.day) });
    case 'pages':
      return t.text('documents.answer.pages', {
        count: answer.missing.length,
        pages: t.list(answer.missing.map((number) => t.number(number))),
      });
    default:
      return t.text(`documents.answer.${answer.kind}`);
  }
}

/** The answers beside the document, and that the person decides. @param change where the kind is corrected */
export function answerList(t: Texts, answers: readonly UploadAnswer[], change: string): Html | undefined {
  if (answers.length === 0) return undefined;
  const items = answers.map((answer) => {
    const button =
      answer.kind === 'look'
        ? html`<form method="post" action="${change}"><input type="hidden" name="type" value="${answer.look}"><button class="plain">${t.text('documents.answer.change', { look: t.text(`documents.type.${answer.look}`) })}</button></form>`
        : undefined;
    return html`<p>${answerIn(t, answer)}</p>${button}`;
  });
  return html`<div class="advice">${items}<p class="keep">${t.text('documents.answer.keep')}</p></div>`;
}
