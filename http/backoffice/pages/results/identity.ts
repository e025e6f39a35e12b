import { type Html, html, isolated } from '../../../../core/html.ts';
import { tenantOfKey } from '../../../../core/rules/tenant-of-key.ts';
import { ifOpened, unsealJson } from '../../../../core/secrets/secrets.ts';
import { findListedTenant } from '../../../../db/applications/tenants.ts';
import { findAllDocuments } from '../../../../db/documents/documents.ts';
import { type KycVerificationRow, listVerifications } from '../../../../db/identity/kyc-verifications.ts';
import { recordLook } from '../../../../jobs/privacy/looks.ts';
import { expectFound, type Parts, page, readResults, type Visit } from '../../route.ts';
import { badge, type Cell, english, facts, linkIn, moment } from '../../views/parts.ts';
import { stateWords } from '../../views/states.ts';

/** The results of a person's identity verifications, and the documents of their national eID. */
export const identityRoutes = [
  page('/people/:id/identity', readResults, async (visit, parts) => {
    const { t, scope } = visit;
    const { db } = parts;
    const tenant = expectFound(await findListedTenant(db, scope, visit.param('id')), 'Person');
    const verifications = await listVerifications(db, scope, tenant.id);
    // Recorded before they are shown, so that no read goes unrecorded.
    for (const row of verifications.filter(({ result }) => result !== null)) {
      const of = tenantOfKey(row);
      await recordLook(db, visit, ['identity', 'kyc.read', row.id], of ? [of] : []);
    }
    const fromEid = (await findAllDocuments(db, scope, tenant.id)).filter(({ source }) => source === 'eid');
    const main = html`<p class="note">${t.text('recorded.person')}</p>
<h2>${t.text('check.kyc')}</h2>
${verifications.length > 0 ? html`<ul class="cards">${verifications.map((row) => verification(row, visit, parts))}</ul>` : html`<p class="lead">${t.text('identity.none')}</p>`}
<h2>${t.text('check.eid')}</h2>
${fromEid.length > 0 ? html`<ul>${fromEid.map(({ id, name }) => html`<li>${linkIn(visit, `documents/${id}`, isolated(name))}</li>`)}</ul>` : html`<p class="lead">${t.text('identity.no-eid')}</p>`}`;
    return {
      title: t.text('identity.title'),
      above: [linkIn(visit, `people/${tenant.id}`, isolated(tenant.name || tenant.email))],
      main,
    };
  }),
];

/** What results of every provider may have; the rest is shown as it came. */
const KNOWN = ['name', 'document_type', 'issuing_country'] as const;
const OURS = new Set<string>([...KNOWN, 'tenant_id', 'provider', 'result', 'verified_at']);

/** What a provider said. Nothing when it was erased, or is sealed with a key that is gone. */
function opened(result: string | null, keys: Parts['keys']): Record<string, unknown> {
  return (result !== null && ifOpened(() => JSON.parse(unsealJson(result, keys.encryption)))) || {};
}

function verification(row: KycVerificationRow, { t }: Visit, { keys }: Pick<Parts, 'keys'>): Html {
  const { status, result, provider, finished_at, failure, agreed_at } = row;
  const said = opened(result, keys);
  const further = Object.entries(said).filter(([name]) => !OURS.has(name));
  const known = KNOWN.map((name): [string, Cell] => [
    t.text(`identity.${name}`),
    typeof said[name] === 'string' ? isolated(said[name]) : null,
  ]);
  return html`<li><h3>${badge(status, stateWords(t, status))}</h3>
${facts([
  ...known,
  [t.text('identity.provider'), isolated(provider)],
  [t.text('identity.agreed'), moment(agreed_at)],
  [t.text('finished'), moment(finished_at)],
  [t.text('attempt.fault'), english(failure)],
])}
${further.length > 0 ? html`<pre tabindex="0" translate="no">${JSON.stringify(Object.fromEntries(further), null, 2)}</pre>` : undefined}
${said['tenant_id'] === undefined && status === 'verified' ? html`<p>${t.text('identity.erased')}</p>` : undefined}</li>`;
}
