import { type Html, html } from '../../core/html.ts';
import { newId } from '../../core/ids.ts';
import { cut, oneLine, unlinked } from '../../core/text.ts';
import type { DeskTexts } from '../../core/texts/desk-texts.ts';
import type { Mail, OfficeMail } from '../../providers/mail/port.ts';

interface Content {
  subject: string;
  /** Before the button. */
  text: string;
  lines?: readonly string[];
  button: { label: string; address: string };
  /** Below the button. */
  note: string;
}

/** A mail to a member of a landlord, or to an operator. @param messageId unchanged when the mail is sent again */
export function officeMail(of: OfficeMail, to: string, t: DeskTexts, content: Content, messageId?: string): Mail {
  const { subject, text, lines = [], button, note } = content;
  const id = newId();
  return {
    id,
    of,
    messageId: messageId ?? id,
    to,
    subject,
    text: [text, '', ...lines, ...(lines.length > 0 ? [''] : []), button.address, '', note, ''].join('\n'),
    html: `<!doctype html>\n${asHtml(t, content).markup}`,
  };
}

/** Names that landlords chose, without what mail readers would turn into links. */
export function nameInMail(name: string): string {
  return cut(unlinked(oneLine(name)), 100);
}

function asHtml(t: DeskTexts, { subject, text, lines = [], button: { label, address }, note }: Content): Html {
  const list = lines.length > 0 ? html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>` : undefined;
  return html`<html lang="${t.language}" dir="${t.direction}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${subject}</title></head>
<body style="margin:0;padding:24px;font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;">
<p>${text}</p>
${list}<p><a href="${address}" target="_blank" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0b6b4f;color:#ffffff;text-decoration:none;font-weight:600;">${label}</a></p>
<p style="word-break:break-all;">${address}</p>
<p>${note}</p>
</body></html>
`;
}
