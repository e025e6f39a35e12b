import { checkLength } from '../core/rules/lengths.ts';
import { findTenant } from '../db/applications/tenants.ts';
import { checkAddress } from '../jobs/check-address.ts';
import { startEid } from '../jobs/identity/eid-flows.ts';
import { callerOf } from './audit-caller.ts';
import type { Answer, Handler } from './handler.ts';

/** Product document 4.7. Starts the flow; a job fetches the documents later. */
export const initiateEid: Handler<'initiateEid'> = async ({ params, body }, ctx): Answer<'initiateEid'> => {
  checkLength('redirect_url', body.redirect_url, ctx.limits.address);
  await checkAddress('redirect_url', body.redirect_url, ctx);
  const tenant = await findTenant(ctx.db, ctx.caller.apiKeyId, params.tenantId);
  const verification_link = await startEid(ctx, tenant, ctx.caller.apiKeyId, body.redirect_url, ctx.now, callerOf(ctx));
  return { message: 'Electronic-identity verification started.', data: { verification_link } };
};
