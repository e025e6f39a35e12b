import { type Html, html } from '../../core/html.ts';
import { cut, oneLine, sentence, unlinked } from '../../core/text.ts';
import type { Mail } from '../../providers/mail/port.ts';

/** What the mail says. Titles and names are untrusted input. */
export interface InvitationFacts {
  title: string;
  /** The lead's name; null while it is unknown. */
  inviter: string | null;
  landlord: string;
  link: string;
  validUntil: Date;
}

const LONGEST_IN_SUBJECT = 64;
const LONGEST_NAME = 100;
const LONGEST_TITLE = 255;

/** Created per mail: creating the first one takes a tenth of the start-up time. */
const longDate = (date: Date) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(date);

export function invitationMail(facts: InvitationFacts): Pick<Mail, 'subject' | 'text' | 'html'> {
  const given = (text: string, longest: number) => cut(unlinked(oneLine(text)), longest);
  const words = {
    title: given(facts.title, LONGEST_TITLE),
    inviter: given(facts.inviter ?? '', LONGEST_NAME),
    landlord: given(facts.landlord, LONGEST_NAME),
    link: facts.link,
    until: longDate(facts.validUntil),
  };
  return {
    // Ours but for the landlord: the title is free text of an integrator.
    subject: `You are invited to apply for a home let by ${cut(words.landlord, LONGEST_IN_SUBJECT) || 'a landlord'}`,
    text: asText(words),
    html: `<!doctype html>\n${asHtml(words).markup}`,
  };
}

interface Words {
  title: string;
  /** Possibly empty. */
  inviter: string;
  landlord: string;
  link: string;
  until: string;
}

/** What is said in both forms. */
const sentences = ({ inviter, landlord, until }: Words) => ({
  invitation: `${inviter ? `${inviter} invites you` : 'You are invited'} to apply for a home together. ${sentence(`It is let by ${landlord}`)}`,
  call: 'See what it is about, and accept or decline:',
  validity: `The link is yours alone. It can be used until ${until} (UTC). Nothing is decided before you choose.`,
  reason: `You get this mail because your address was given for this application. If you do not know ${inviter || 'what it is about'}, decline, or ignore it: then nothing happens.`,
});

function asText(words: Words): string {
  const { invitation, call, validity, reason } = sentences(words);
  const title = words.title ? [`    ${words.title}`, ''] : [];
  return ['Hello,', '', invitation, '', ...title, call, '', words.link, '', validity, '', '-- ', reason, ''].join('\n');
}

/** Tables and styles at each element are what mail programs understand; the style sheet is for those that know the dark. */
function asHtml(words: Words): Html {
  const { invitation, call, validity, reason } = sentences(words);
  const { title, link } = words;
  return html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>You are invited to apply</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: #0c1110 !important; }
  .card { background: #131a18 !important; border-color: #26302d !important; }
  .ink { color: #e8eeeb !important; }
  .soft { color: #a3b1ab !important; }
  .link { color: #5fd3a8 !important; }
  .button { background: #5fd3a8 !important; border-color: #5fd3a8 !important; color: #06231a !important; }
}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f6f8f7;">
<div role="main">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f6f8f7;">
<tr><td align="center" style="padding:24px 12px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;">
<tr><td class="ink" style="padding:0 4px 16px;${FONT}font-size:16px;font-weight:700;color:#12201b;">Tenant Screening</td></tr>
<tr><td class="card" style="padding:28px 24px;background:#ffffff;border:1px solid #dfe5e2;border-radius:14px;">
<h1 class="ink" style="margin:0 0 12px;${FONT}font-size:24px;line-height:1.25;font-weight:700;color:#12201b;">You are invited to apply</h1>
<p class="ink" style="${PARAGRAPH}color:#12201b;">${invitation}</p>
${title && html`<p class="ink" style="margin:20px 0;padding:2px 0 2px 14px;border-left:4px solid #0b6b4f;${FONT}font-size:18px;line-height:1.4;font-weight:600;color:#12201b;${BREAK}">${title}</p>`}
<p class="ink" style="${PARAGRAPH}color:#12201b;">${call}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:20px 0;">
<tr><td><a class="button" href="${link}" target="_blank" style="display:block;padding:14px 20px;background:#0b6b4f;border:1px solid #0b6b4f;border-radius:10px;${FONT}font-size:16px;font-weight:700;text-align:center;text-decoration:none;color:#ffffff;">Open the invitation</a></td></tr>
</table>
<p class="soft" style="${SMALL}color:#4c5a54;">${validity}</p>
<p class="soft" style="margin:12px 0 0;${FONT}font-size:13px;line-height:1.5;color:#4c5a54;">Does the button not work? Open this address:<br><a class="link" href="${link}" target="_blank" style="color:#0b6b4f;${BREAK}">${link}</a></p>
</td></tr>
<tr><td class="soft" style="padding:16px 4px 0;${FONT}font-size:13px;line-height:1.5;color:#4c5a54;${BREAK}">${reason}</td></tr>
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
