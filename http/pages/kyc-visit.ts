import type { Request, RequestHandler } from 'express';
import type { Config } from '../../core/settings/config.ts';
import { findHostedKyc, type HostedKyc } from '../../jobs/identity/kyc-verifications.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { expiredPage, failedPage, rejectedPage, verifiedPage } from './views/kyc-states.ts';
import type { KycAddress, KycPage, KycPlace } from './views/kyc-step.ts';
import { hostedAddress, sendPage } from './views/page.ts';

/** A person at the pages of their verification, which is under way. */
export interface Visit {
  hosted: HostedKyc;
  req: Request;
  to: KycAddress;
  show(page: KycPage, status?: number): void;
  go(address: string): void;
}

export type VisitHandler = (visit: Visit) => void | Promise<void>;

/** Lets in whoever has the address. Once the verification is over, every place says how it ended. */
export function visitsTo(runtime: Runtime, { kyc, frameAncestors }: Pick<Config, 'kyc' | 'frameAncestors'>) {
  return (whilePending: VisitHandler): RequestHandler =>
    async (req, res) => {
      res.locals['operation'] = 'kycPage';
      const token = String(req.params['token']);
      const hosted = await findHostedKyc(runtime, token);
      const to = (place?: KycPlace) => hostedAddress(req, ['verify/kyc', token, place].filter(Boolean).join('/'));
      const go = (address: string) => res.redirect(303, address);
      const show = (page: KycPage, status?: number) =>
        sendPage(res, { ...page, simulated: kyc.provider === 'sandbox' }, frameAncestors, status);
      const end = endPage(hosted);
      if (!end) await whilePending({ hosted, req, to, show, go });
      else if (req.method === 'POST') go(here(to));
      else show(end);
    };
}

/** The page of the verification, with its heading read first. */
export function here(to: KycAddress): string {
  return `${to()}#step`;
}

function endPage({ status, reason }: HostedKyc): KycPage | undefined {
  if (status === 'verified') return verifiedPage();
  if (status === 'rejected') return rejectedPage(reason);
  if (status === 'failed') return failedPage();
  return status === 'expired' ? expiredPage() : undefined;
}
