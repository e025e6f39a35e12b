import { type Html, html, isolated } from '../../../core/html.ts';
import { type AccountStatement, type BankAccount, groupedIban, shortIban } from '../../../core/rules/bank-statement.ts';
import type { Message, Texts } from '../../../core/texts/texts.ts';
import type { Brand } from '../../../db/access/landlord-brands.ts';
import type { Requester } from '../../../db/applications/requester.ts';
import type { OwnConnection, OwnConnections } from '../../../jobs/banking/own-connections.ts';
import type { Bank } from '../../../providers/banking/port.ts';
import type { Line } from '../agreement-lines.ts';
import { agreementTerms, shownField } from './agreement.ts';
import { spinner } from './drawings.ts';
import { faultText } from './kyc-step.ts';
import { type UnmarkedPage, windowTitle } from './page.ts';

export type BankFault = 'no-bank' | 'no-account' | 'changed' | 'away' | 'many';

export interface BankView extends OwnConnections {
  landlord: string;
  brand: Brand;
  contact: Requester['contact'];
  title: string;
  country: string;
  countries: readonly string[];
  banks: readonly Bank[];
  fault: BankFault | undefined;
  /** Whether the person has chosen a country. */
  isChoosing: boolean;
  /** What the person agrees to. */
  agreement: readonly Line[];
  here: string;
  to(id: string, action: 'accounts' | 'hand-in' | 'withdraw'): string;
  documents: string;
}

/** Reloads of the page while the bank is read. */
const RELOAD_SECONDS = 2;

/** The page of a person's bank connections, in each of their states. */
export function bankPage(t: Texts, view: BankView): UnmarkedPage {
  const { latest, landlord, title, brand, contact, fault } = view;
  const step = latest ? stepOf(t, view, latest) : undefined;
  const heading = step?.heading ?? t.text(view.handedIn.length > 0 ? 'name.bank' : 'bank.title');
  return {
    t,
    title: windowTitle(t, [heading, t.text('name.bank')], fault !== undefined),
    requester: { landlord, title, brand, contact },
    ...(step?.moves ? { moves: { seconds: RELOAD_SECONDS } } : {}),
    main: html`<h1 id="heading" tabindex="-1">${heading}</h1>
${faultText(t, fault && t.text(faults[fault]))}
${step ? step.main : html`${view.handedIn.map((one) => handedIn(t, view, one))}${notice(t, latest)}${consentForm(t, view)}`}
<p class="actions"><a class="button plain" href="${view.documents}#step">${t.text('page.back')}</a></p>`,
  };
}

const faults: Record<BankFault, Message> = {
  'no-bank': 'bank.no-bank',
  'no-account': 'bank.no-account',
  changed: 'agreement.changed',
  away: 'bank.away',
  many: 'bank.many',
};

interface Step {
  heading: string;
  main: Html;
  moves?: true;
}

/** Undefined when the person starts, possibly again. */
function stepOf(t: Texts, view: BankView, connection: OwnConnection): Step | undefined {
  const { row } = connection;
  switch (row.status) {
    case 'choosing':
      return { heading: t.text('bank.accounts'), main: accountsForm(t, view, connection) };
    case 'returning':
    case 'fetching': {
      const until = new Date(row.expires_at);
      const note = row.failure === null ? t.text('bank.reading-text') : t.text('bank.slow', { until });
      return { heading: t.text('bank.reading'), main: waiting(t, view, row.id, note), moves: true };
    }
    case 'ending':
      return { heading: t.text('bank.ending'), main: html`<div class="state">${spinner}</div>`, moves: true };
    case 'fetched':
      return { heading: t.text('bank.fetched'), main: preview(t, view, connection) };
    default:
      return undefined;
  }
}

const endings = {
  pending: 'bank.open',
  withdrawn: 'bank.ended.withdrawn',
  refused: 'bank.ended.refused',
  failed: 'bank.ended.failed',
  expired: 'bank.ended.expired',
} as const satisfies Record<string, Message>;

function isEnding(status: string): status is keyof typeof endings {
  return Object.hasOwn(endings, status);
}

function notice(t: Texts, latest: OwnConnection | undefined): Html | undefined {
  const status = latest?.row.status;
  if (status === undefined || !isEnding(status)) return undefined;
  return html`<p class="notice" role="status">${t.rich(endings[status], { bank: latest?.row.bank ?? '' })}</p>`;
}

function consentForm(t: Texts, view: BankView): Html {
  const { country, countries, banks, agreement, here, fault, isChoosing, handedIn: done } = view;
  const options = countries.map(
    (one) => html`<option value="${one}"${one === country ? html` selected` : undefined}>${t.region(one)}</option>`,
  );
  const choices = banks.map(({ name }) => html`<option value="${name}" translate="no">${name}</option>`);
  // The language is in the address, which a form with GET would drop.
  const form = html`<p class="lead">${t.text('bank.lead')}</p>
${agreementTerms(agreement)}
<form method="get" action="${here}"><input type="hidden" name="lang" value="${t.language}">
<label for="country">${t.text('bank.country')}</label><select id="country" name="country">${options}</select>
<p class="go"><button class="plain">${t.text('bank.show')}</button></p></form>
<form method="post" action="${here}" novalidate><input type="hidden" name="country" value="${country}">
${shownField(agreement)}
<label for="bank">${t.text('bank.choose')}</label>
<select id="bank" name="bank" required><option value="">${t.text('bank.choose-first')}</option>${choices}</select>
<p class="go"><button>${t.text('bank.go')}</button></p></form>
<p class="note">${t.text('agreement.note')}</p>`;
  if (done.length === 0) return form;
  // Few connect a second bank: the terms would hide from the others that they are done. Who chose a country continues with the bank.
  const open = fault !== undefined || isChoosing ? html` open` : undefined;
  return html`<details class="another"${open}><summary>${t.text('bank.another')}</summary>${form}</details>`;
}

function accountsForm(t: Texts, view: BankView, { row, accounts }: OwnConnection): Html {
  const boxes = accounts.map(
    (account) =>
      html`<label class="choice"><input type="checkbox" name="account" value="${account.id}"><span><b>${isolated(nameOf(t, account))}</b><small>${isolated([shortIban(account.iban), account.holder].filter(Boolean).join(' · '))}</small></span></label>`,
  );
  return html`<p class="lead">${t.rich('bank.accounts-lead', { bank: row.bank })}</p>
<form method="post" action="${view.to(row.id, 'accounts')}"><fieldset${view.fault === 'no-account' ? html` aria-describedby="fault"` : undefined}><legend class="sr">${t.text('bank.accounts')}</legend>
${boxes}</fieldset>
<p class="go"><button>${t.text('bank.read')}</button></p></form>
${stopForm(t, view, row.id)}`;
}

function waiting(t: Texts, view: BankView, id: string, note: string): Html {
  return html`<div class="state">${spinner}<p>${note}</p></div>${stopForm(t, view, id)}`;
}

function stopForm(t: Texts, view: BankView, id: string): Html {
  return html`<form method="post" action="${view.to(id, 'withdraw')}"><p class="go"><button class="plain">${t.text('bank.cancel')}</button></p></form>`;
}

function preview(t: Texts, view: BankView, { row, statement }: OwnConnection): Html {
  return html`<p class="lead">${t.text('bank.fetched-lead')}</p>
${statement?.accounts.map((account) => accountDetails(t, account, statement))}
<form method="post" action="${view.to(row.id, 'hand-in')}"><p class="go"><button>${t.text('bank.hand-in')}</button></p></form>
<form method="post" action="${view.to(row.id, 'withdraw')}"><p class="go"><button class="plain">${t.text('bank.discard')}</button></p></form>`;
}

function accountDetails(
  t: Texts,
  { account, bookings, closingCents }: AccountStatement,
  period: { from: string; to: string },
): Html {
  const { iban, holder, currency } = account;
  const facts: [Html | string, string][] = [
    [t.text('bank.holder'), holder || t.text('bank.unnamed')],
    ...(iban ? [[html`<span translate="no">IBAN</span>`, groupedIban(iban)] satisfies [Html, string]] : []),
    [t.text('bank.period'), t.text('bank.period-text', { from: new Date(period.from), to: new Date(period.to) })],
    ...(closingCents === undefined
      ? []
      : [[t.text('bank.balance'), t.money(closingCents, currency)] satisfies [string, string]]),
  ];
  const rows = bookings
    .toReversed()
    .map(
      ({ day, cents, counterparty, text }) =>
        html`<tr><td>${t.shortDay(day)}</td><td>${isolated([counterparty, text].filter(Boolean).join(' · '))}</td><td class="figure">${t.money(cents, currency)}</td></tr>`,
    );
  return html`<section class="account"><h2>${isolated(nameOf(t, account))}</h2>
<dl class="facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${isolated(value)}</dd></div>`)}</dl>
<details><summary>${t.text('bank.movements', { count: bookings.length })}</summary>
<table class="movements"><thead><tr><th scope="col">${t.text('bank.day')}</th><th scope="col">${t.text('bank.description')}</th><th scope="col" class="figure">${t.text('bank.amount')}</th></tr></thead>
<tbody>${rows}</tbody></table></details></section>`;
}

function handedIn(t: Texts, view: BankView, { row, statement }: OwnConnection): Html {
  return html`<section class="account"><h2>${isolated(row.bank)}</h2>
<p>${t.rich('bank.handed-text', { landlord: view.landlord, bank: row.bank })}</p>
${statement?.accounts.map((account) => accountDetails(t, account, statement))}
<form method="post" action="${view.to(row.id, 'withdraw')}"><p class="note">${t.rich('bank.withdraw-note', { landlord: view.landlord })}</p>
<p class="go"><button class="plain">${t.text('bank.withdraw')}</button></p></form></section>`;
}

function nameOf(t: Texts, { product }: BankAccount): string {
  return product || t.text('bank.account');
}
