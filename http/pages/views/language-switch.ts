import type { Request } from 'express';
import { type Html, html } from '../../../core/html.ts';
import { languageNames, languages } from '../../../core/texts/languages.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import { askedQuery } from '../../edge/fields.ts';
import { LANGUAGE } from './addresses.ts';

/** The foot of a page: links to the page in each language, named in that language. */
export function languageSwitch(t: Texts, req: Request): Html {
  const current = languages.find((language) => language === t.language);
  const others = languages.filter((language) => language !== current);
  const links = others.map(
    (language) =>
      html`<li><a href="${inLanguage(req, language)}" lang="${language}" hreflang="${language}">${languageNames[language]}</a></li>`,
  );
  const name = current && html`<span translate="no">${languageNames[current]}</span>`;
  return html`<details class="languages"><summary>${globe}<span class="sr">${t.text('page.language')} </span>${name}</summary>
<nav aria-label="${t.text('page.languages')}"><ul translate="no">${links}</ul></nav></details>`;
}

/** A relative URL with only a query keeps the path. */
function inLanguage(req: Request, language: string): string {
  const query = askedQuery(req);
  query.set(LANGUAGE, language);
  return `?${query}`;
}

const globe = html`<svg class="globe" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" aria-hidden="true"><circle cx="12" cy="12" r="9.5"/><path d="M2.5 12h19M12 2.5c3.3 3.100 4.3 6 4.3 9.500s-1 6.4-4.3 9.500c-3.3-3.100-4.3-6-4.3-9.500s1-6.4 4.3-9.500z"/></svg>`;
