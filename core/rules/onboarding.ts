import type { components } from '../../generated/openapi.d.ts';
import { DAY_MS } from '../time.ts';

type OnboardingStatus = components['schemas']['OnboardingStatus'];

/** The part of a tenant's profile that onboarding depends on. */
export interface OnboardingProfile {
  profile_completed_at: string | null;
  profile_outdated_at: string | null;
}

/** A participant's onboarding status (product document 2.3, 3.2), derived from the tenant's profile and never stored. */
export function onboardingStatus(profile: OnboardingProfile | undefined, now: Date): OnboardingStatus {
  if (!profile?.profile_completed_at) return 'PENDING';
  const outdated = profile.profile_outdated_at !== null && profile.profile_outdated_at <= now.toISOString();
  return outdated ? 'OUTDATED' : 'COMPLETED';
}

/** When a profile completed now becomes outdated; undefined means never. */
export function outdatedAfter(profileDays: number | undefined, now: Date): Date | undefined {
  return profileDays === undefined ? undefined : new Date(now.getTime() + profileDays * DAY_MS);
}
