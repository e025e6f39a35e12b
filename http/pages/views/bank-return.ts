import { html, isolated } from '../../../core/html.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import { bankScenarios } from '../../../providers/sandbox/bank-scenarios.ts';
import { icons } from './drawings.ts';
import { statePage } from './link-states.ts';
import type { UnmarkedPage } from './page.ts';

/** The simulated bank: the person signs in with a second factor, and the tester chooses what the bank holds. */
export function simulatedBankPage(t: Texts, bank: string, state: string): UnmarkedPage {
  const refuse = `callback?${new URLSearchParams({ state, error: 'access_denied' })}`;
  return {
    t,
    title: t.text('name.bank'),
    brand: html`<p class="brand">${isolated(bank)}</p>`,
    main: html`<h1 id="heading" tabindex="-1">${t.rich('bank.sim.title', { bank })}</h1>
<p class="lead">${t.text('bank.sim.lead')}</p>
<form method="get" action="callback">
<input type="hidden" name="state" value="${state}">
<label for="user">${t.text('bank.sim.user')}</label>
<input id="user" type="text" value="10203040" autocomplete="off">
<label for="otp">${t.text('bank.sim.code')}</label>
<p class="hint" id="otp-hint">${t.text('bank.sim.code-hint')}</p>
<input id="otp" type="text" inputmode="numeric" value="123456" autocomplete="off" required aria-describedby="otp-hint">
<section class="tester"><label for="code">${t.text('bank.sim.scenario')}</label>
<select id="code" name="code">${bankScenarios.map((one) => html`<option value="${one}">${t.text(`bank.scenario.${one}`)}</option>`)}</select></section>
<p class="go"><button>${t.text('bank.sim.allow')}</button></p>
<p class="actions"><a class="button plain" href="${refuse}">${t.text('bank.sim.refuse')}</a></p>
</form>`,
  };
}

/** The return reached a browser that did not set out. */
export function bankRefusedPage(t: Texts): UnmarkedPage {
  return statePage(t, t.text('bank.refused'), icons.trouble, html`<p>${t.text('bank.refused-text')}</p>`);
}

export function bankUnknownPage(t: Texts): UnmarkedPage {
  return statePage(t, t.text('link.unknown.title'), icons.unknown, html`<p>${t.text('bank.unknown-text')}</p>`);
}
