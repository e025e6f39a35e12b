import type { Router } from 'express';
import { readPersonName } from '../../core/rules/person-name.ts';
import type { Config } from '../../core/settings/config.ts';
import { completeOnboarding, findOnboarding } from '../../jobs/invitations/onboarding.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { linkPages } from './link-pages.ts';
import { onboardingPage } from './views/onboarding.ts';

/** The page behind an onboarding link, where a person completes their profile. */
export function onboardingPages(
  runtime: Pick<Runtime, 'db' | 'profileDays' | 'now' | 'log'>,
  config: Pick<Config, 'mode'>,
): Router {
  const { db, now, log } = runtime;
  return linkPages(
    {
      place: 'onboarding',
      show: async (token, mistake) => onboardingPage(await findOnboarding(db, token, now()), mistake),
      take: async (token, sent) => completeOnboarding(runtime, token, readPersonName(sent.get('name') ?? ''), now()),
    },
    config,
    log,
  );
}
