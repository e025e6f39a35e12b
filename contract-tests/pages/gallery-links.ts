import { invitationPage } from '../../http/pages/views/invitation.ts';
import { unknownPage } from '../../http/pages/views/link-states.ts';
import { onboardingPage } from '../../http/pages/views/onboarding.ts';
import type { UnmarkedPage } from '../../http/pages/views/page.ts';
import type { Invitation } from '../../jobs/invitations/consent.ts';
import type { Onboarding } from '../../jobs/invitations/onboarding.ts';

/** The pages behind the links of invitations and onboarding, in every state. @param name one that fits no phone */
export function linkPagesFor(name: string): Record<string, UnmarkedPage> {
  const invited = {
    applicationId: '',
    apiKeyId: '',
    participantId: '',
    title: 'Flat on Calle de Alcalá 42, third floor',
    landlord: 'Casa Clara',
    email: `jonas.${'weber-'.repeat(9)}@mail.example`,
    name,
    consent: 'pending' as const,
    inviter: 'Marta Ruiz',
    key: { revoked_at: null, expires_at: null },
  };
  const invitation: Invitation = { ...invited, expiredAt: null };
  const long = { title: `${name} `.repeat(3), landlord: name, inviter: name };
  const onboarding: Onboarding = { ...invited, linkId: '', name: 'Jonas Weber', state: 'open' };
  const mistake = { fault: 'Use no more than 200 characters.', sent: new URLSearchParams({ name }) };
  return {
    invitation: invitationPage(invitation),
    'invitation-wrong': invitationPage({ ...invitation, ...long }, mistake),
    'invitation-accepted': invitationPage({ ...invitation, consent: 'accepted' }),
    'invitation-declined': invitationPage({ ...invitation, ...long, consent: 'rejected' }),
    'invitation-expired': invitationPage({ ...invitation, expiredAt: '2026-12-22T10:00:00.000Z' }),
    onboarding: onboardingPage(onboarding),
    'onboarding-asking': onboardingPage({ ...onboarding, state: 'asking' }),
    'onboarding-asking-wrong': onboardingPage({ ...onboarding, ...long, state: 'asking' }, mistake),
    'onboarding-declined': onboardingPage({ ...onboarding, state: 'declined' }),
    'onboarding-wrong': onboardingPage({ ...onboarding, ...long }, mistake),
    'onboarding-used': onboardingPage({ ...onboarding, state: 'used' }),
    'onboarding-expired': onboardingPage({ ...onboarding, state: 'expired' }),
    'link-unknown': unknownPage(),
  };
}
