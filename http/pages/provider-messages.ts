import express, { type RequestHandler, Router } from 'express';
import { on, ValidationError } from '../../core/errors.ts';
import { pollKycNow } from '../../jobs/identity/kyc-verifications.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { ForgedMessage } from '../../providers/identity/port.ts';
import { bounded } from '../edge/bounded-body.ts';
import { refuseMethods } from '../edge/on-error.ts';

const MAX_MESSAGE_BYTES = 1024 * 1024;

type Receiving = Pick<Runtime, 'db' | 'queue' | 'providers' | 'now' | 'log'>;

/**
 * The webhook endpoint of KYC providers, outside the API. A message only triggers a look at the provider; its content is not
 * trusted. Without a provider that sends messages, the path does not exist.
 */
export function providerMessages(runtime: Receiving): RequestHandler {
  if (!runtime.providers.kyc.receive) return (_req, _res, next) => next();
  const router = Router();
  router
    .route('/providers/kyc')
    // Raw: the signature covers the exact bytes.
    .post(
      bounded(MAX_MESSAGE_BYTES, express.raw({ type: () => true, limit: MAX_MESSAGE_BYTES, inflate: false })),
      takeMessage(runtime),
    )
    .all(refuseMethods('POST'));
  return router;
}

function takeMessage(runtime: Receiving): RequestHandler {
  const { providers, log } = runtime;
  const refuse = () => {
    if (log.unauthenticated.spend()) log.warn('KYC provider message rejected: not authentic');
    throw new ValidationError([], 'The message was not sent by the provider, or is too old.');
  };
  return async (req, res) => {
    res.locals['operation'] = 'kycMessage';
    const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    const flowId = await providers.kyc.receive?.({ headers: req.headers, body }).catch(on(ForgedMessage, refuse));
    if (flowId !== undefined) await pollKycNow(runtime, flowId);
    res.json({
      status: 'success',
      message: flowId === undefined ? 'Not about a flow.' : 'The outcome is being fetched.',
    });
  };
}
