import { type Html, html, isolated } from '../../../../core/html.ts';
import { DAY_MS } from '../../../../core/time.ts';
import { linkProperty } from '../../../../db/applications/linked-property.ts';
import { findTenant, findTenantByIdOrEmail } from '../../../../db/applications/tenants.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { listProperties } from '../../../../db/properties/properties.ts';
import { requestForensic } from '../../../../jobs/documents/request-forensic.ts';
import { OUR_PAGE, startEid } from '../../../../jobs/identity/eid-flows.ts';
import { startKyc } from '../../../../jobs/identity/kyc-verifications.ts';
import { openOnboarding } from '../../../../jobs/invitations/onboarding.ts';
import { oneIn, textIn } from '../../query.ts';
import {
  action,
  expectFound,
  type GoTo,
  operatorsAnd,
  type Page,
  type Parts,
  Refused,
  type Visit,
} from '../../route.ts';
import { choice } from '../../views/forms.ts';
import { link } from '../../views/parts.ts';
import { applicationOf, participantFinder } from './application-actions.ts';

export const CHECKS = ['kyc', 'eid', 'analysis'] as const;
const ONBOARDING_DAYS = 7;
const MAX_PROPERTIES = 200;

const agents = operatorsAnd('admin', 'agent');

/** The properties of the application's landlord, to choose from. Undefined when there are none. */
export async function propertyChoice(
  { t }: Pick<Visit, 't'>,
  { db }: Pick<Parts, 'db'>,
  { landlord_id, property_id }: { landlord_id: string; property_id: string | null },
): Promise<Html | undefined> {
  const found = await listProperties(db, { landlordId: landlord_id }, MAX_PROPERTIES);
  if (found.length === 0) return undefined;
  const nameOf = ({ property_reference, street, municipality }: (typeof found)[number]) =>
    [property_reference, street, municipality].filter((part) => part !== null && part !== '').join(', ');
  const options = found.map((row) => [row.property_id, nameOf(row) || row.property_id] as const);
  return choice('property', t.text('property'), [['', t.text('none')], ...options], property_id ?? '');
}

export const checkActions = [
  action('/applications/:id/check', agents, async (visit, parts): Promise<GoTo> => {
    const { t, form, actor, now } = visit;
    const { db } = parts;
    const { api_key_id } = await applicationOf(visit, parts);
    const { id, find } = await participantFinder(visit, parts);
    const check = oneIn(form, 'check', CHECKS);
    if (check === undefined) throw new Refused(400, t, 'refused.check');
    const { email } = await inTransaction(db, find);
    const account = await findTenantByIdOrEmail(db, email);
    if (!account) throw new Refused(409, t, 'refused.no-account');
    const tenant = expectFound(await findTenant(db, api_key_id, account.id), 'Person');
    if (check === 'kyc') await startKyc(parts, tenant, api_key_id, now, actor);
    else if (check === 'eid') await startEid(parts, tenant, api_key_id, OUR_PAGE, now, actor);
    else {
      const status = await requestForensic(parts, { tenant_id: tenant.id, api_key_id }, false, actor);
      if (status === 'DOCUMENTS_ANALYSIS_NOT_FOUND') throw new Refused(409, t, 'refused.no-documents');
      if (status === 'KYC_PENDING') throw new Refused(409, t, 'refused.kyc-first');
      return { goTo: `applications/${id}`, notice: status === 'QUEUED' ? 'analysing' : 'unchanged' };
    }
    return { goTo: `applications/${id}`, notice: 'started' };
  }),
  action('/applications/:id/onboard', agents, async (visit, parts): Promise<Page> => {
    const { t, to, form, actor, now } = visit;
    const application = await applicationOf(visit, parts);
    const { id, find } = await participantFinder(visit, parts);
    const property = textIn(form, 'property');
    const opened = await inTransaction(parts.db, async (trx) => {
      const participant = await find(trx);
      if (participant.consent_status === 'rejected') throw new Refused(409, t, 'refused.declined');
      if (property !== undefined && (await linkProperty(trx, id, property, now)))
        await recordAudit(trx, actor, 'application.link-property', id, now);
      const { token } = await openOnboarding(trx, participant, ONBOARDING_DAYS * DAY_MS, now);
      await recordAudit(trx, actor, 'participant.onboard', participant.id, now);
      return { token, email: participant.email };
    });
    const title = t.text('onboard.title');
    const name = isolated(application.title || t.text('application.untitled'));
    const main = html`<p class="crumbs">${link(to('applications'), t.text('section.applications'))} ${link(to(`applications/${id}`), name)}</p>
<h1>${title}</h1>
<p class="lead">${t.rich('onboard.text', { email: opened.email, days: ONBOARDING_DAYS })}</p>
<pre tabindex="0" translate="no">${parts.publicUrl()}/onboarding/${opened.token}</pre>
<p>${link(to(`applications/${id}`), t.text('continue'))}</p>`;
    return { title, main };
  }),
];
