import { readContract } from '../../../../core/contract.ts';
import { html } from '../../../../core/html.ts';
import type { DeskMessage } from '../../../../core/texts/desk-texts.ts';
import { magicTags } from '../../../../providers/sandbox/magic-addresses.ts';
import { operatorsAnd, page } from '../../route.ts';
import { code, english, facts, link, sectionLink } from '../../views/parts.ts';

/** What a tag in an address decides. */
const DECIDED = {
  kyc: 'check.kyc',
  eid: 'check.eid',
  forensic: 'check.analysis',
  account: 'person',
  consent: 'consent',
  profile: 'profile',
  payment: 'payments',
} as const satisfies Record<keyof typeof magicTags, DeskMessage>;

const kinds = Object.keys(DECIDED).filter((kind): kind is keyof typeof DECIDED => kind in DECIDED);

/** Every event of the contract, which describes it in English, with its example. */
const events = Object.values(readContract().document.paths)
  .flatMap((operations) => Object.values(operations))
  .flatMap(({ callbacks = {} }) => Object.entries(callbacks))
  .flatMap(([name, addresses]) => Object.values(addresses).map(({ post }) => ({ name, ...post })));

/** The events that webhooks receive, and in the sandbox, how to cause them. */
export const catalogueRoutes = [
  page('/events', operatorsAnd('admin', 'developer'), async (visit, { mode, publicUrl }) => {
    const { t } = visit;
    // The first sentence of a description says when an event is sent; the rest is in the guides.
    const shown = events.map(({ name, summary, description, requestBody }) => {
      const examples = Object.values(requestBody.content).flatMap((content) => Object.values(content.examples));
      const bodies = examples.map(
        ({ value }) => html`<pre tabindex="0" translate="no">${JSON.stringify(value, null, 2)}</pre>`,
      );
      return html`<h2>${code(name)}</h2>
<p class="lead">${english(`${summary}. ${/^[^.]*\./.exec(description)?.[0] ?? ''}`) ?? undefined}</p>
${bodies}`;
    });
    const tags = kinds.map((kind) => {
      const codes = Object.values(magicTags[kind]).map((tag) => html`${code(tag)} `);
      return [t.text(DECIDED[kind]), html`${codes}`] as const;
    });
    const sandbox = html`<h2>${t.text('events.sandbox')}</h2>
<p class="lead">${t.text('events.sandbox-text')}</p>
${facts(tags)}`;
    const main = html`<p class="lead">${t.text('events.text')} ${link(`${publicUrl()}/docs/`, t.text('events.guide'))}</p>
${shown}
${mode === 'sandbox' ? sandbox : undefined}`;
    return { title: t.text('section.events'), above: [sectionLink(visit, 'webhooks')], main };
  }),
];
