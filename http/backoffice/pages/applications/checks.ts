import { html } from '../../../../core/html.ts';
import { DAY_MS } from '../../../../core/time.ts';
import { findTenant, findTenantByIdOrEmail } from '../../../../db/applications/tenants.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { requestForensic } from '../../../../jobs/documents/request-forensic.ts';
import { OUR_PAGE, startEid } from '../../../../jobs/identity/eid-flows.ts';
import { startKyc } from '../../../../jobs/identity/kyc-verifications.ts';
import { openOnboarding } from '../../../../jobs/invitations/onboarding.ts';
import { action, expectFound, Refused } from '../../route.ts';
import { link } from '../../views/parts.ts';
import { givenOne } from '../given.ts';
import {
  aboveIn,
  agents,
  applicationOf,
  expectTakingPart,
  participantFinder,
  saveProperty,
} from './application-actions.ts';
import { givenProperty } from './property-choice.ts';

export const CHECKS = ['kyc', 'eid', 'analysis'] as const;
const ONBOARDING_DAYS = 7;

export const checkActions = [
  action('/applications/:id/check', agents, async (visit, parts) => {
    const { t, actor, now } = visit;
    const { db } = parts;
    const { api_key_id } = await applicationOf(visit, parts);
    const { id, find } = await participantFinder(visit, parts);
    const check = givenOne(visit, 'check', CHECKS, 'refused.check');
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
  action('/applications/:id/onboard', agents, async (visit, parts) => {
    const { t, to, actor, now } = visit;
    const application = await applicationOf(visit, parts);
    const { id, find } = await participantFinder(visit, parts);
    const property = await givenProperty(visit, parts, application.landlord_id);
    const opened = await inTransaction(parts.db, async (trx) => {
      const participant = await find(trx);
      expectTakingPart(participant, visit);
      if (property != null) await saveProperty(trx, visit, id, property);
      const { token } = await openOnboarding(trx, participant, ONBOARDING_DAYS * DAY_MS, now);
      await recordAudit(trx, actor, 'participant.onboard', participant.id, now);
      return { token, email: participant.email };
    });
    const main = html`<p class="lead">${t.rich('onboard.text', { email: opened.email, days: ONBOARDING_DAYS })}</p>
<pre tabindex="0" translate="no">${parts.publicUrl()}/onboarding/${opened.token}</pre>
<p>${link(to(`applications/${id}`), t.text('continue'))}</p>`;
    return { title: t.text('onboard.title'), above: aboveIn(visit, application), main };
  }),
];
