import { eventAddress, operationAddress, REFERENCE } from './addresses.ts';
import { codeBlock } from './code-block.ts';
import type { Contract, ListedEvent, ListedOperation } from './contract.ts';
import { codeHtml, escapeHtml, inlineHtml } from './html.ts';
import type { NavigationEntry, Page } from './page.ts';

interface GuideGroup {
  title: string;
  guides: (NavigationEntry & { lead: string })[];
}

const STEPS: { title: string; text: string; code: string }[] = [
  {
    title: 'Start the sandbox',
    text: 'In the folder of the service, one command runs everything and makes a demo landlord with an API key. If you were given the address and credentials of a hosted sandbox, skip this step.',
    code: 'npm ci && npm start',
  },
  {
    title: 'Get a token',
    text: 'In another terminal, load the credentials, yours or the demo landlord’s, and trade them for a bearer token. It lives for an hour.',
    code: `. data/demo.env
TOKEN=$(curl -s -X POST -u "$CLIENT_ID:$CLIENT_SECRET" \\
  "$BASE_URL/authenticate/token" |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
  },
  {
    title: 'Make the first call',
    text: 'Open an application for one person. Everyone else you add is invited by e-mail.',
    code: `curl -sw '\\n' -X POST "$BASE_URL/applications/create-application" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"title": "Studio at Gran Vía 7", "tenants": [
        {"email": "amina.diallo@mail.example", "is_lead": true}]}'`,
  },
];

/** The first page: what this is, three steps to the first call, and the ways into the rest. */
export function landingPage(contract: Contract, groups: GuideGroup[]): Page {
  const description =
    'Screen prospective renters: open applications, have identities and documents checked, and receive the results by signed webhooks.';
  const first = groups[0]?.guides[0];
  const html = `<section class="hero">
<div>
<p class="eyebrow">API version ${escapeHtml(contract.version)}</p>
<h1>Know who is moving in.</h1>
<p class="lead">Open an application for up to five people. They prove who they are, their documents are checked for tampering, and a signed webhook brings you each result.</p>
<p class="actions">${first ? `<a class="button primary" href="${first.path}">${escapeHtml(first.title)}</a>` : ''}<a class="button" href="${REFERENCE}">Read the reference</a></p>
</div>
${flow(contract)}
</section>
<section class="band" aria-labelledby="steps"><h2 id="steps">Three steps to the first call</h2>
<ol class="steps">${STEPS.map(({ title, text, code }) => `<li><div><h3>${title}</h3><p>${text}</p></div>${codeBlock(code, 'sh')}</li>`).join('\n')}</ol></section>
<section class="band" aria-labelledby="guides"><h2 id="guides">Guides</h2>
${groups.map(cards).join('\n')}</section>
<section class="band" aria-labelledby="operations"><h2 id="operations">Every operation and event</h2>
<div class="operations">${operationGroups(contract)}</div></section>`;
  return { path: 'index.html', title: contract.title, description, html, layout: 'landing' };
}

/** The flow of calls and events, with the contract's names. */
function flow({ operations, events }: Contract): string {
  const calls = ['createApplication', 'initiateKyc', 'initiateEid', 'runForensic'].flatMap((id) => {
    const operation = operations.find(({ operationId }) => operationId === id);
    return operation ? [`<li>${operationLink(operation)}</li>`] : [];
  });
  const heard = events.map((event) => `<li>${eventLink(event)}</li>`);
  return `<div class="flow"><p>You call</p><ul>${calls.join('')}</ul><p>You receive</p><ul>${heard.join('')}</ul></div>`;
}

function cards({ title, guides }: GuideGroup): string {
  const items = guides.map(
    ({ path, title: name, lead }) =>
      `<li><a class="card" href="${path}"><strong>${escapeHtml(name)}</strong><span>${escapeHtml(firstSentence(lead))}</span></a></li>`,
  );
  return `<div class="group"><h3>${title}</h3><ul class="cards">${items.join('\n')}</ul></div>`;
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.) /, 1)[0] ?? text;
}

function operationGroups({ operations, events }: Contract): string {
  const groups = Object.entries(Object.groupBy(operations, ({ tags: [tag] }) => tag)).map(([tag, members = []]) => {
    const items = members.map(
      (operation) => `<li>${operationLink(operation)}<span>${inlineHtml(operation.summary)}</span></li>`,
    );
    return `<div><h3>${escapeHtml(tag)}</h3><ul>${items.join('')}</ul></div>`;
  });
  const listed = events.map((event) => `<li>${eventLink(event)}<span>${inlineHtml(event.summary)}</span></li>`);
  return [...groups, `<div><h3>Events</h3><ul>${listed.join('')}</ul></div>`].join('\n');
}

function operationLink(operation: ListedOperation): string {
  return `<a href="${escapeHtml(operationAddress(operation))}">${method(operation.method)}${codeHtml(operation.path)}</a>`;
}

function eventLink({ name }: ListedEvent): string {
  return `<a href="${escapeHtml(eventAddress(name))}">${method('EVENT')}${codeHtml(name)}</a>`;
}

function method(name: string): string {
  return `<b class="method ${escapeHtml(name.toLowerCase())}">${escapeHtml(name)}</b> `;
}
