import { escapeHtml } from './html.ts';

/** The page whose scenarios can be tried on the page itself. */
export const SANDBOX = 'sandbox.html';

const PLACE = '<h2 id="trigger-an-event"';

/** The guide to the sandbox with a form for credentials and a webhook, which the scenarios' buttons use. @throws without its place */
export function withConsole(html: string, tryItAddress: string): string {
  const at = html.indexOf('<div class="table"', html.indexOf(PLACE));
  if (!html.includes(PLACE) || at < 0) throw new Error('The guide to the sandbox has no table of events to trigger.');
  return html.slice(0, at) + form(tryItAddress) + html.slice(at);
}

function form(tryItAddress: string): string {
  const input = (name: string, label: string, more = '') =>
    `<label>${label}<input name="${name}" autocomplete="off" spellcheck="false" ${more}></label>`;
  return `<form class="sandbox-form" data-api="${escapeHtml(tryItAddress)}" hidden>
${input('client_id', 'Client id', 'required')}
${input('client_secret', 'Client secret', 'type="password" required')}
${input('url', 'Webhook URL, if you have none yet', 'type="url"')}
${input('secret', 'Its secret')}
<button type="submit">Check, and register the webhook</button>
<p role="status" class="sr"></p>
</form>
<noscript><p>The buttons need JavaScript.</p></noscript>
`;
}
