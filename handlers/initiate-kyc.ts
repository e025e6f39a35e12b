import { findTenant } from '../db/applications/tenants.ts';
import { startKyc } from '../jobs/identity/kyc-verifications.ts';
import { callerOf } from './audit-caller.ts';
import type { Answer, Handler } from './handler.ts';

/** Product document 4.6. Idempotent while a verification is pending. */
export const initiateKyc: Handler<'initiateKyc'> = async ({ params }, ctx): Answer<'initiateKyc'> => {
  const tenant = await findTenant(ctx.db, ctx.caller.apiKeyId, params.tenantId);
  const verification_url = await startKyc(ctx, tenant, ctx.caller.apiKeyId, ctx.now, callerOf(ctx));
  return { message: 'Identity verification started.', data: { verification_url } };
};
