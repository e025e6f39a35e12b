import type { Request, RequestHandler } from 'express';
import type { Config } from '../../../core/settings/config.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import { flowAddress } from '../../../jobs/identity/identity-flows.ts';
import { findHostedKyc, type HostedKyc } from '../../../jobs/identity/kyc-verifications.ts';
import type { Runtime } from '../../../jobs/runtime.ts';
import { textsFor } from '../page-language.ts';
import { pageAddress } from '../views/addresses.ts';
import type { KycAddress, KycPlace } from '../views/kyc-step.ts';
import { sendPage, type UnmarkedPage } from '../views/page.ts';
import { wayHome } from '../way-home.ts';
import { expiredPage, failedPage, rejectedPage, verifiedPage } from './kyc-states.ts';

/** What the pages of a verification need. */
export type KycRuntime = Pick<Runtime, 'db' | 'queue' | 'providers' | 'keys' | 'publicUrl' | 'now' | 'log'>;

/** A person on the pages of their pending verification. */
export interface Visit {
  hosted: HostedKyc;
  req: Request;
  t: Texts;
  to: KycAddress;
  /** The public address of the verification, for the person's phone. */
  phone: string;
  show(page: UnmarkedPage, status?: number): void;
  go(address: string): void;
}

export type VisitHandler = (visit: Visit) => void | Promise<void>;

/** The address alone grants access. Once the verification has ended, every page shows its outcome. */
export function visitsTo(runtime: KycRuntime, { kyc, frameAncestors }: Pick<Config, 'kyc' | 'frameAncestors'>) {
  return (whilePending: VisitHandler): RequestHandler =>
    async (req, res) => {
      res.locals['operation'] = 'kycPage';
      const token = String(req.params['token']);
      const hosted = await findHostedKyc(runtime, token);
      const to = (place?: KycPlace) => pageAddress(req, ['verify/kyc', token, place].filter(Boolean).join('/'));
      const go = (address: string) => res.redirect(303, address);
      const show = (page: UnmarkedPage, status?: number) =>
        sendPage(
          res,
          { ...page, requester: hosted.requester, simulated: kyc.provider === 'sandbox' },
          frameAncestors,
          status,
        );
      const t = textsFor(req);
      const isOver = hosted.status !== 'pending';
      const home = isOver ? await wayHome(req, runtime, hosted.checked) : undefined;
      const end = endPage(t, hosted, home);
      if (!end) await whilePending({ hosted, req, t, to, phone: flowAddress('kyc', hosted.id, runtime), show, go });
      else if (req.method === 'POST') go(here(to));
      else show(end);
    };
}

/** The verification's page, starting at its heading. */
export function here(to: KycAddress): string {
  return `${to()}#step`;
}

function endPage(t: Texts, { status, reason }: HostedKyc, home: string | undefined): UnmarkedPage | undefined {
  if (status === 'verified') return verifiedPage(t, home);
  if (status === 'rejected') return rejectedPage(t, reason, home);
  if (status === 'failed') return failedPage(t, home);
  return status === 'expired' ? expiredPage(t, home) : undefined;
}
