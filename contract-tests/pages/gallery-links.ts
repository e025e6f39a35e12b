import { texts } from '../../http/pages/texts/documents.ts';
import { type DocumentsView, documentsPage } from '../../http/pages/views/documents.ts';
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
    mayUpload: false,
  };
  const invitation: Invitation = { ...invited, expiredAt: null };
  const long = { title: `${name} `.repeat(3), landlord: name, inviter: name };
  const onboarding: Onboarding = { ...invited, linkId: '', name: 'Jonas Weber', state: 'open' };
  const mistake = { fault: 'Use no more than 200 characters.', sent: new URLSearchParams({ name }) };
  const handed: DocumentsView = {
    landlord: 'Casa Clara',
    title: 'Flat on Calle de Alcalá 42, third floor',
    documents: [
      { id: '1', name: 'passport.jpg', type: 'identity', size_bytes: 2_400_000 },
      { id: '2', name: `${name}-payslip-october.pdf`, type: 'payslip', size_bytes: 81_000 },
    ],
    limitMib: 25,
    first: 'answer',
    here: '#',
    back: '#',
  };
  const view = { token: '', documents: 0 };
  const faults = [
    { name: 'IMG_0042.HEIC', message: texts.refused.heic },
    { name, message: texts.refused.encrypted },
  ];
  return {
    documents: documentsPage(handed),
    'documents-none': documentsPage({ ...handed, documents: [] }),
    'documents-wrong': documentsPage({ ...handed, ...long, faults, type: 'payslip' }),
    'documents-no-type': documentsPage({ ...handed, documents: [], faults: [{ name: '', message: texts.noType }] }),
    invitation: invitationPage(invitation, view),
    'invitation-wrong': invitationPage({ ...invitation, ...long }, view, mistake),
    'invitation-accepted': invitationPage(
      { ...invitation, consent: 'accepted', mayUpload: true },
      { token: '', documents: 2 },
    ),
    'invitation-accepted-next': invitationPage({ ...invitation, consent: 'accepted', mayUpload: true }, view),
    'invitation-declined': invitationPage({ ...invitation, ...long, consent: 'rejected' }, view),
    'invitation-expired': invitationPage({ ...invitation, expiredAt: '2026-12-22T10:00:00.000Z' }, view),
    onboarding: onboardingPage(onboarding, view),
    'onboarding-asking': onboardingPage({ ...onboarding, state: 'asking' }, view),
    'onboarding-asking-wrong': onboardingPage({ ...onboarding, ...long, state: 'asking' }, view, mistake),
    'onboarding-declined': onboardingPage({ ...onboarding, state: 'declined' }, view),
    'onboarding-wrong': onboardingPage({ ...onboarding, ...long }, view, mistake),
    'onboarding-used': onboardingPage({ ...onboarding, state: 'used', mayUpload: true }, { token: '', documents: 2 }),
    'onboarding-expired': onboardingPage({ ...onboarding, state: 'expired' }, view),
    'link-unknown': unknownPage(),
  };
}
