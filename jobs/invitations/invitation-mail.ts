import { type Html, html } from '../../core/html.ts';
import { cut, oneLine, sentence, unlinked } from '../../core/text.ts';
import type { Texts } from '../../core/texts/texts.ts';
import type { Mail } from '../../providers/mail/port.ts';
import { isBranded, LOGO_ID, type MailBrand, mailColours, mailMark } from './mail-brand.ts';

/** The variables of the mail. Titles and names are untrusted input. */
export interface InvitationFacts {
  title: string;
  /** The lead's name; null while it is unknown. */
  inviter: string | null;
  landlord: string;
  brand: MailBrand;
  link: string;
  validUntil: Date;
}

const MAX_SUBJECT_PART_LENGTH = 64;
const MAX_NAME_LENGTH = 100;
const MAX_TITLE_LENGTH = 255;

export function invitationMail(t: Texts, facts: InvitationFacts): Pick<Mail, 'subject' | 'text' | 'html' | 'picture'> {
  const given = (text: string, maxLength: number) => cut(unlinked(oneLine(text)), maxLength);
  const words = {
    title: given(facts.title, MAX_TITLE_LENGTH),
    inviter: given(facts.inviter ?? '', MAX_NAME_LENGTH),
    landlord: given(facts.landlord, MAX_NAME_LENGTH),
    link: facts.link,
    until: facts.validUntil,
  };
  return {
    // The landlord's name is the only trusted part: the title is an integrator's free text.
    subject: words.landlord
      ? t.text('mail.subject', { landlord: cut(words.landlord, MAX_SUBJECT_PART_LENGTH) })
      : t.text('mail.subject-unnamed'),
    text: asText(t, words),
    html: `<!doctype html>\n${asHtml(t, words, facts.brand).markup}`,
    ...(facts.brand.logo ? { picture: { id: LOGO_ID, content: facts.brand.logo.content } } : {}),
  };
}

interface Words {
  title: string;
  /** Possibly empty. */
  inviter: string;
  landlord: string;
  link: string;
  until: Date;
}

/** The sentences common to both forms. */
function sentences(t: Texts, { inviter, landlord, until }: Words) {
  const invited = inviter ? t.text('mail.invited-by', { inviter }) : t.text('mail.invited');
  return {
    // A name may end with a full stop.
    invitation: `${invited} ${sentence(t.text('mail.let-by', { landlord }))}`,
    call: t.text('mail.call'),
    validity: t.text('mail.validity', { until }),
    reason: inviter ? t.text('mail.reason-by', { inviter }) : t.text('mail.reason'),
  };
}

function asText(t: Texts, words: Words): string {
  const { invitation, call, validity, reason } = sentences(t, words);
  const title = words.title ? [`    ${words.title}`, ''] : [];
  const lines = [t.text('mail.hello'), '', invitation, '', ...title, call, '', words.link, '', validity, ''];
  return [...lines, '-- ', reason, ''].join('\n');
}

/** Tables and inline styles, which mail clients understand; the style sheet is for clients that support dark mode. */
function asHtml(t: Texts, words: Words, brand: MailBrand): Html {
  const { invitation, call, validity, reason } = sentences(t, words);
  const heading = t.text('mail.heading');
  const { title, link, landlord } = words;
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
<p class="ink" style="${PARAGRAPH}color:#12201b;">${invitation}</p>
${title && html`<p class="ink title" style="margin:20px 0;padding:2px 0 2px 14px;border-left:4px solid ${light.accent};${FONT}font-size:18px;line-height:1.4;font-weight:600;color:#12201b;${BREAK}">${title}</p>`}
<p class="ink" style="${PARAGRAPH}color:#12201b;">${call}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:20px 0;">
<tr><td><a class="button" href="${link}" target="_blank" style="display:block;padding:14px 20px;background:${light.fill};border:1px solid ${light.accent};border-radius:10px;${FONT}font-size:16px;font-weight:700;text-align:center;text-decoration:none;color:${light.onFill};">${t.text('mail.button')}</a></td></tr>
</table>
<p class="soft" style="${SMALL}color:#4c5a54;">${validity}</p>
<p class="soft" style="margin:12px 0 0;${FONT}font-size:13px;line-height:1.5;color:#4c5a54;">${t.text('mail.no-button')}<br><a class="link" href="${link}" target="_blank" style="color:${light.accent};${BREAK}">${link}</a></p>
</td></tr>
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
