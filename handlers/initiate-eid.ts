import { checkCallerAddress } from '../core/caller-address.ts';
import { findTenant } from '../db/tenants.ts';
import { identityFlow, openEidFlow } from '../jobs/identity-flows.ts';
import type { Answer, Handler } from './handler.ts';

/** Product document 4.7. Starts the flow; the documents come later, by a job. */
export const initiateEid: Handler<'initiateEid'> = async ({ params, body }, ctx): Answer<'initiateEid'> => {
  const { eid } = ctx.providers;
  checkCallerAddress('redirect_url', body.redirect_url, ctx.addresses);
  const tenant = await findTenant(ctx.db, ctx.caller.apiKeyId, params.tenantId);
  const flow = await ctx.db.transaction((trx) =>
    openEidFlow(trx, ctx.queue, tenant.id, body.redirect_url, eid.pollMs, ctx.now),
  );
  const { verificationLink } = await eid.start(identityFlow(flow, tenant));
  return { message: 'Electronic-identity verification started.', data: { verification_link: verificationLink } };
};
