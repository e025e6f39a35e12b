import { findTenant } from '../db/tenants.ts';
import { identityFlow, openKycVerification } from '../jobs/identity-flows.ts';
import type { Answer, Handler } from './handler.ts';

/** Product document 4.6. Asking again while a verification is under way gives the same one. */
export const initiateKyc: Handler<'initiateKyc'> = async ({ params }, ctx): Answer<'initiateKyc'> => {
  const { kyc } = ctx.providers;
  const tenant = await findTenant(ctx.db, ctx.caller.apiKeyId, params.tenantId);
  const verification = await ctx.db.transaction((trx) =>
    openKycVerification(trx, ctx.queue, tenant.id, kyc.pollMs, ctx.now),
  );
  const { verificationUrl } = await kyc.start(identityFlow(verification, tenant));
  return { message: 'Identity verification started.', data: { verification_url: verificationUrl } };
};
