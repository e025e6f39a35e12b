import { type Html, html } from '../../../core/html.ts';
import english from '../../../core/texts/en.json' with { type: 'json' };
import type { Message, Texts } from '../../../core/texts/texts.ts';

/** Flows store the reason in English: the message, in the language that the person reads. */
const reasons = new Map<string, Message>();
for (const [message, sentence] of Object.entries(english)) if (isReason(message)) reasons.set(sentence, message);

/** The reason for a rejection. A provider's own words, of which we have no translation, are marked as English. */
export function rejectionIn(t: Texts, sentence: string): Html {
  const message = reasons.get(sentence);
  return message ? html`${t.text(message)}` : html`<bdi lang="en">${sentence}</bdi>`;
}

function isReason(message: string): message is Message & `reason.${string}` {
  return message.startsWith('reason.');
}
