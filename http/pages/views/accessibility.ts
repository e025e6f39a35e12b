import { html } from '../../../core/html.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import type { Host } from './brand.ts';
import type { UnmarkedPage } from './page.ts';

const parts = ['scope', 'status', 'tested', 'limits'] as const;

/** The accessibility statement, with the person's landlord as the contact. @param back the page that the link leads to */
export function accessibilityPage(t: Texts, host: Host, back: string): UnmarkedPage {
  const { landlord } = host;
  return {
    t,
    title: t.text('access.title'),
    host,
    main: html`<h1 id="heading" tabindex="-1">${t.text('access.title')}</h1>
<div class="prose">${parts.map((part) => html`<p>${t.text(`access.${part}`)}</p>`)}</div>
<h2>${t.text('access.help-title')}</h2>
<div class="prose"><p>${t.rich('access.help', { landlord })}</p>
<p>${t.text('access.complain')}</p></div>
<p class="actions"><a class="button plain" href="${back}#step">${t.text('page.back')}</a></p>`,
  };
}
