import { type Html, html } from '../../core/html.ts';
import { cut, oneLine, unlinked } from '../../core/text.ts';
import type { Texts } from '../../core/texts/texts.ts';
import type { Contact } from '../../db/access/landlord-settings.ts';
import type { Mail } from '../../providers/mail/port.ts';
import { isBranded, LOGO_ID, type MailBrand, mailColours, mailMark } from './mail-brand.ts';
import { type MailSubject, type MailValues, type MailWords, wordsOf } from './mail-words.ts';

/** The variables of the mail. Titles, names and reasons are untrusted input. */
export interface InvitationFacts extends MailSubject {
  title: string;
  /** The lead's name; null while it is unknown. */
  inviter: string | null;
  landlord: string;
  brand: MailBrand;
  contact?: Contact;
  link: string;
  validUntil: Date;
}

const MAX_NAME_LENGTH = 100;
const MAX_TITLE_LENGTH = 255;
const MAX_REASON_LENGTH = 500;

/** The invitation, or a later mail to a person who takes part. */
export function invitationMail(
  t: Texts,
  facts: InvitationFacts,
): Pick<Mail, 'subject' | 'text' | 'html' | 'picture' | 'stop'> {
  const given = (text: string, maxLength: number) => cut(unlinked(oneLine(text)), maxLength);
  const values = {
    title: given(facts.title, MAX_TITLE_LENGTH),
    inviter: given(facts.inviter ?? '', MAX_NAME_LENGTH),
    landlord: given(facts.landlord, MAX_NAME_LENGTH),
    link: facts.link,
    until: facts.validUntil,
    reason: given(facts.request?.reason ?? '', MAX_REASON_LENGTH),
  };
  const words = wordsOf(t, facts, values);
  const contact = contactLines(t, facts.contact);
  return {
    subject: words.subject,
    text: asText(t, values, words, contact),
    html: `<!doctype html>\n${asHtml(t, values, words, { brand: facts.brand, contact }).markup}`,
    ...(facts.brand.logo ? { picture: { id: LOGO_ID, content: facts.brand.logo.content } } : {}),
    ...(words.stop ? { stop: words.stop.address } : {}),
  };
}

/** Whom the person can ask. The landlord set these, so they may be links. */
function contactLines(t: Texts, contact: Contact | undefined): string[] {
  if (!contact) return [];
  const { contact_name, contact_mail, contact_phone, privacy_url, imprint_url } = contact;
  const ways = [contact_name, contact_mail, contact_phone].filter((way) => way !== null);
  return [
    ...(ways.length > 0 ? [`${t.text('contact.title')} ${ways.join(', ')}`] : []),
    ...(privacy_url === null ? [] : [`${t.text('contact.privacy')}: ${privacy_url}`]),
    ...(imprint_url === null ? [] : [`${t.text('contact.imprint')}: ${imprint_url}`]),
  ];
}

function asText(t: Texts, { title, link }: MailValues, words: MailWords, contact: readonly string[]): string {
  const { paragraphs, call, validity, reason, stop } = words;
  const named = title ? [`    ${title}`, ''] : [];
  const said = paragraphs.flatMap((paragraph) => [paragraph, '']);
  const stopping = stop ? [stop.text, stop.address, ''] : [];
  const lines = [t.text('mail.hello'), '', ...said, ...named, call, '', link, '', validity, '', ...stopping];
  return [...lines, '-- ', ...contact, reason, ''].join('\n');
}

/** Tables and inline styles, which mail clients understand; the style sheet is for clients that support dark mode. */
function asHtml(
  t: Texts,
  { title, link, landlord }: MailValues,
  words: MailWords,
  { brand, contact }: { brand: MailBrand; contact: readonly string[] },
): Html {
  const { heading, paragraphs, call, button, validity, reason, stop } = words;
  const { light, dark } = mailColours(brand);
  return html`<html lang="${t.language}" dir="${t.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${heading}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: #0c1110 !important; }
  .card { background: #131a18 !important; border-color: #26302d !important; }
  .ink { color: #e8eeeb !important; }
  .soft { color: #a3b1ab !important; }
  .title { border-color: ${dark.accent} !important; }
  .link { color: ${dark.accent} !important; }
  .button { background: ${dark.fill} !important; border-color: ${dark.accent} !important; color: ${dark.onFill} !important; }
}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f6f8f7;">
<div role="main">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f6f8f7;">
<tr><td align="center" style="padding:24px 12px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;">
<tr><td class="ink" style="padding:0 4px 16px;${FONT}font-size:16px;font-weight:700;color:#12201b;${BREAK}">${mailMark(landlord, brand)}</td></tr>
<tr><td class="card" style="padding:28px 24px;background:#ffffff;border:1px solid #dfe5e2;border-radius:14px;">
<h1 class="ink" style="margin:0 0 12px;${FONT}font-size:24px;line-height:1.25;font-weight:700;color:#12201b;">${heading}</h1>
${paragraphs.map((paragraph) => html`<p class="ink" style="${PARAGRAPH}color:#12201b;">${paragraph}</p>`)}
${title && html`<p class="ink title" style="margin:20px 0;padding:2px 0 2px 14px;border-left:4px solid ${light.accent};${FONT}font-size:18px;line-height:1.4;font-weight:600;color:#12201b;${BREAK}">${title}</p>`}
<p class="ink" style="${PARAGRAPH}color:#12201b;">${call}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:20px 0;">
<tr><td><a class="button" href="${link}" target="_blank" style="display:block;padding:14px 20px;background:${light.fill};border:1px solid ${light.accent};border-radius:10px;${FONT}font-size:16px;font-weight:700;text-align:center;text-decoration:none;color:${light.onFill};">${button}</a></td></tr>
</table>
<p class="soft" style="${SMALL}color:#4c5a54;">${validity}</p>
<p class="soft" style="margin:12px 0 0;${FONT}font-size:13px;line-height:1.5;color:#4c5a54;">${t.text('mail.no-button')}<br><a class="link" href="${link}" target="_blank" style="color:${light.accent};${BREAK}">${link}</a></p>
${stop && html`<p class="soft" style="margin:12px 0 0;${FONT}font-size:13px;line-height:1.5;color:#4c5a54;">${stop.text}<br><a class="link" href="${stop.address}" target="_blank" style="color:${light.accent};${BREAK}">${stop.address}</a></p>`}
</td></tr>
${contact.map((line) => html`<tr><td class="soft" style="padding:16px 4px 0;${FONT}font-size:13px;line-height:1.5;color:#4c5a54;${BREAK}">${line}</td></tr>`)}
<tr><td class="soft" style="padding:16px 4px 0;${FONT}font-size:13px;line-height:1.5;color:#4c5a54;${BREAK}">${reason}</td></tr>
${isBranded(brand) ? html`<tr><td class="soft" style="padding:12px 4px 0;${FONT}font-size:13px;line-height:1.5;font-weight:700;color:#4c5a54;">Tenant Screening</td></tr>` : undefined}
</table>
</td></tr>
</table>
</div>
</body>
</html>
`;
}

const FONT = 'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif;';
const BREAK = 'word-break:break-word;overflow-wrap:anywhere;';
const PARAGRAPH = `margin:0 0 12px;${FONT}font-size:16px;line-height:1.5;${BREAK}`;
const SMALL = `margin:0;${FONT}font-size:14px;line-height:1.5;`;
