import { type Html, html, isolated } from '../../../core/html.ts';
import type { Message, Texts } from '../../../core/texts/texts.ts';
import type { Host } from './brand.ts';

/** Whom the person can ask, and the landlord's own pages. Undefined while the landlord has named nothing. */
export function contactFoot(t: Texts, host: Host | undefined): Html | undefined {
  if (!host || Object.values(host.contact).every((value) => value === null)) return undefined;
  const { contact_name, contact_mail, contact_phone, privacy_url, imprint_url } = host.contact;
  const ways = [
    contact_mail && html`<a href="mailto:${contact_mail}"><bdi>${contact_mail}</bdi></a>`,
    contact_phone && html`<a href="tel:${contact_phone.replace(/[^+\d]/g, '')}"><bdi>${contact_phone}</bdi></a>`,
    privacy_url && outside(t, 'contact.privacy', privacy_url),
    imprint_url && outside(t, 'contact.imprint', imprint_url),
  ];
  const links = ways.flatMap((link) => (link ? [html`<li>${link}</li>`] : []));
  const who = contact_name ? html`${isolated(contact_name)}<br>${isolated(host.landlord)}` : isolated(host.landlord);
  return html`<section class="contact" aria-labelledby="contact"><h2 id="contact">${t.text('contact.title')}</h2>
<p>${who}</p>${links.length > 0 ? html`<ul>${links}</ul>` : undefined}</section>`;
}

/** A page of the landlord's. In a frame it opens beside it. */
function outside(t: Texts, name: Message, address: string): Html {
  return html`<a href="${address}" target="_blank" rel="noopener noreferrer">${t.text(name)}</a>`;
}
