import { type Html, html, isolated } from '../../../core/html.ts';
import type { Message, Texts } from '../../../core/texts/texts.ts';
import type { Invited } from '../../../db/applications/invited.ts';
import { MAX_SHOWN, type OwnData } from '../../../jobs/privacy/own-data.ts';
import type { UnmarkedPage } from './page.ts';

export interface DataView extends OwnData, Pick<Invited, 'landlord' | 'title' | 'brand' | 'contact'> {
  email: string;
  /** The addresses of the page's actions, and of the page that the link leads to. */
  copy: string;
  erasure: string;
  withdrawal: string;
  back: string;
}

/** One item of held data: its name, and its fields. */
interface Item {
  what: Html | string;
  more: string;
  at: string;
  /** When the day alone says too little. */
  when?: string;
}

/** What the landlord holds about the recipient of a link, and what the recipient can request. */
export function dataPage(t: Texts, view: DataView): UnmarkedPage {
  const { landlord, title, brand, contact, email, held, copy, back } = view;
  const name = held.applications.find((application) => application.name !== '')?.name;
  return {
    t,
    title: t.text('data.title'),
    requester: { landlord, title, brand, contact },
    main: html`<h1 id="heading" tabindex="-1">${t.text('data.title')}</h1>
<p class="lead">${t.rich('data.lead', { landlord })}</p>
<section><h2>${t.text('data.you')}</h2><dl class="facts">
<div><dt>${t.text('facts.email')}</dt><dd>${isolated(email)}</dd></div>
<div><dt>${t.text('facts.name')}</dt><dd>${name === undefined ? t.text('data.unnamed') : isolated(name)}</dd></div>
</dl></section>
${section(t, 'data.applications', applicationsIn(t, held))}
${section(t, 'data.documents', documentsIn(t, held))}
${section(t, 'data.checks', checksIn(t, held))}
${section(t, 'data.told', eventsIn(t, held))}
${section(t, 'data.looks', looksIn(t, held))}
<section><h2>${t.text('data.copy-title')}</h2><p>${t.text('data.copy')}</p>
<form method="post" action="${copy}"><p class="actions"><button>${t.text('data.copy-button')}</button></p></form></section>
<section id="erasure"><h2>${t.text('data.erase-title')}</h2>${erasure(t, view)}</section>
<p class="actions"><a class="button plain" href="${back}#step">${t.text('page.back')}</a></p>`,
  };
}

function erasure(t: Texts, { request, landlord, erasure: action, withdrawal }: DataView): Html {
  const ask = html`<p>${t.rich('data.erase', { landlord })}</p>
<details class="final"><summary>${t.text('data.erase-button')}</summary><p>${t.text('data.erase-sure')}</p>
<form method="post" action="${action}"><p class="actions"><button>${t.text('data.erase-now')}</button></p></form></details>`;
  if (!request) return ask;
  const { requested_at, due_at, closed_at, reason } = request;
  if (closed_at === null) {
    const moments = { asked: new Date(requested_at), due: new Date(due_at) };
    return html`<p role="status"><strong>${t.text('data.asked', moments)}</strong></p>
<form method="post" action="${withdrawal}"><p class="actions"><button class="plain">${t.text('data.withdraw')}</button></p></form>`;
  }
  const answer = { closed: new Date(closed_at), reason: reason ?? '' };
  return html`<div class="prose"><p><strong>${t.rich('data.refused', answer)}</strong></p></div>${ask}`;
}

function section(t: Texts, title: Message, items: readonly Item[]): Html {
  const list = items.map(
    ({ what, more, at, when = t.day(at) }) =>
      html`<li><b>${what}</b><span>${more}</span><time datetime="${at}">${when}</time></li>`,
  );
  const isCut = items.length >= MAX_SHOWN;
  return html`<section><h2>${t.text(title)}</h2>
${items.length > 0 ? html`<ul class="held">${list}</ul>` : html`<p>${t.text('data.none')}</p>`}
${isCut ? html`<p class="note">${t.text('data.newest', { count: MAX_SHOWN })}</p>` : undefined}</section>`;
}

function applicationsIn(t: Texts, { applications }: OwnData['held']): Item[] {
  return applications.map(({ title, consent_status, removed_at, created_at }) => ({
    what: title.trim() === '' ? t.text('home.no-title') : isolated(title),
    more: t.text(removed_at === null ? `data.consent.${consent_status}` : 'data.removed'),
    at: created_at,
  }));
}

function documentsIn(t: Texts, { documents }: OwnData['held']): Item[] {
  return documents.map(({ name, type, created_at }) => ({
    what: isolated(name),
    more: t.text(`documents.type.${type ?? 'other'}`),
    at: created_at,
  }));
}

function checksIn(t: Texts, { kyc, eid, analyses }: OwnData['held']): Item[] {
  const named = [
    { what: t.text('data.kyc'), of: kyc },
    { what: t.text('data.eid'), of: eid },
    { what: t.text('data.analysis'), of: analyses },
  ];
  const checks = named.flatMap(({ what, of }) =>
    of.map(({ status, created_at, finished_at }) => ({
      what,
      more: t.text(`data.status.${status}`),
      at: finished_at ?? created_at,
    })),
  );
  return checks.sort((a, b) => b.at.localeCompare(a.at)).slice(0, MAX_SHOWN);
}

const eventNames: Record<string, Message> = {
  EID_SUCCESS: 'data.event.EID_SUCCESS',
  KYC_VERIFICATION_DATA: 'data.event.KYC_VERIFICATION_DATA',
  FORENSIC_ANALYSIS_DATA: 'data.event.FORENSIC_ANALYSIS_DATA',
};

/** Who looked by their role, and when: members are not named. */
function looksIn(t: Texts, { looks }: OwnData['held']): Item[] {
  return looks.map(({ looker, what, at }) => ({
    what: t.text(`data.looker.${looker}`),
    more: t.text(`data.look.${what}`),
    at,
    when: t.text('data.looked', { at: new Date(at) }),
  }));
}

function eventsIn(t: Texts, { events }: OwnData['held']): Item[] {
  return events.map(({ event, created_at }) => {
    const name = eventNames[event];
    return { what: name ? t.text(name) : event, more: '', at: created_at };
  });
}
