import { NO_SETTINGS } from '../../core/rules/landlord-settings.ts';
import type { Step } from '../../core/rules/progress.ts';
import type { Texts } from '../../core/texts/texts.ts';
import type { HeldData } from '../../db/privacy/held-data.ts';
import { lookers, lookKinds } from '../../db/privacy/looks.ts';
import { accessibilityPage } from '../../http/pages/views/accessibility.ts';
import { dataPage } from '../../http/pages/views/data.ts';
import { type DocumentsView, documentsPage } from '../../http/pages/views/documents.ts';
import { invitationPage, removedPage } from '../../http/pages/views/invitation.ts';
import { troublePage, unknownPage } from '../../http/pages/views/link-states.ts';
import { onboardingPage } from '../../http/pages/views/onboarding.ts';
import type { UnmarkedPage } from '../../http/pages/views/page.ts';
import { partPage, remindersPage, remindersStoppedPage, renewedPage, renewPage } from '../../http/pages/views/part.ts';
import { handOverPage, noHandOverPage } from '../../http/pages/views/phone.ts';
import type { Invitation } from '../../jobs/invitations/consent.ts';
import type { Onboarding } from '../../jobs/invitations/onboarding.ts';
import type { Progress } from '../../jobs/invitations/progress.ts';
import { rejectionReasons } from '../../providers/sandbox/kyc.ts';

export const NO_CONTACT = {
  contact_name: null,
  contact_mail: null,
  contact_phone: null,
  privacy_url: null,
  imprint_url: null,
};

export const CONTACT = {
  contact_name: 'Clara Gil',
  contact_mail: 'rent@casa-clara.example',
  contact_phone: '+34 910 000 000',
  privacy_url: 'https://casa-clara.example/privacy',
  imprint_url: 'https://casa-clara.example/imprint',
};

export const NO_BRAND = { colour: null, logo: null, language: null };

const NOT_CLOSED = { closed_at: null, outcome: null, reason: null };

const nothingHeld: HeldData = {
  applications: [],
  documents: [],
  kyc: [],
  eid: [],
  analyses: [],
  looks: [],
  events: [],
};

function manyHeld(name: string): HeldData {
  const [created_at, finished_at] = ['2026-10-03T10:00:00.000Z', '2026-11-03T10:00:00.000Z'];
  const title = 'Flat on Calle de Alcalá 42, third floor';
  return {
    applications: [
      { title, created_at, consent_status: 'accepted', name: 'Jonas Weber', removed_at: null },
      { title: name, created_at, consent_status: 'rejected', name: '', removed_at: null },
    ],
    documents: [
      { name: 'passport.jpg', type: 'identity', created_at },
      { name: `${name}-payslip-october.pdf`, type: 'payslip', created_at },
    ],
    kyc: [{ status: 'verified', created_at, finished_at }],
    eid: [{ status: 'cancelled', created_at, finished_at }],
    analyses: [{ status: 'processing', created_at, finished_at: null }],
    looks: lookKinds.map((what, index) => ({
      looker: lookers[index % lookers.length] ?? 'agent',
      what,
      at: finished_at,
    })),
    events: [{ event: 'KYC_VERIFICATION_DATA', created_at: finished_at }],
  };
}

/** A person's progress: with nothing missing, with much missing, with checks that run, and with checks that ended badly. */
function progressFor(name: string): Record<'begun' | 'progress' | 'asked' | 'busy' | 'over', Progress> {
  const file = {
    tenant_id: '',
    api_key_id: '',
    media_type: '',
    sha256: '',
    source: 'applicant',
    created_at: '',
    removed_at: null,
    removed_for: null,
    seen: undefined,
    hasThumbnail: false,
  } as const;
  const seen = { possible: [], numbers: [1], missing: [], count: 1, isPicture: false };
  const oldAndCut = { ...seen, day: '2026-01-31', missing: [2, 3] };
  const documents = [
    { ...file, id: '1', name: 'passport.jpg', type: 'identity', sha256: 'a', size_bytes: 2_400_000 } as const,
    {
      ...file,
      id: '2',
      name: `${name}-payslip-october.pdf`,
      type: 'payslip',
      size_bytes: 81_000,
      seen: oldAndCut,
    } as const,
    { ...file, id: '3', name: 'again.pdf', type: 'payslip', size_bytes: 81_000 } as const,
    {
      ...file,
      id: '4',
      name: 'IMG_1.jpg',
      type: 'payslip',
      sha256: 'b',
      media_type: 'image/jpeg',
      size_bytes: 81_000,
      seen: { ...seen, look: 'bank_statement', missing: [2], isPicture: true },
    } as const,
    {
      ...file,
      id: '5',
      name: 'old-passport.jpg',
      type: 'identity',
      sha256: 'c',
      size_bytes: 81_000,
      seen: { ...seen, expires: '2024-05-01' },
    } as const,
  ];
  const steps = (...more: Step[]): Step[] => [
    { name: 'answer', state: 'done' },
    { name: 'profile', state: 'done' },
    ...more,
  ];
  const done: Step = { name: 'documents', state: 'done' };
  const progress: Progress = {
    steps: steps(done),
    documents,
    handed: documents.length,
    isFromBank: false,
    wanted: [],
    requests: [],
    kyc: undefined,
    eid: undefined,
    analysis: undefined,
  };
  const request = {
    id: '',
    participant_id: '',
    type: 'payslip',
    created_at: '',
    reason: `Page 2 is missing. ${name}`,
  } as const;
  const check = { status: 'waiting', reason: null, token: 'x' };
  const waiting = (['answer', 'profile', 'documents'] as const).map((step): Step => ({ name: step, state: 'open' }));
  return {
    begun: { ...progress, steps: waiting, documents: [], handed: 0 },
    progress,
    asked: {
      ...progress,
      steps: steps(
        { name: 'documents', state: 'open' },
        { name: 'kyc', state: 'open' },
        { name: 'eid', state: 'open' },
      ),
      wanted: [
        { type: 'identity', count: 1, handed: 1 },
        { type: 'payslip', count: 3, maxAgeMonths: 3, handed: 1 },
        { type: 'employment_letter', count: 1, handed: 0 },
        { type: 'bank_statement', count: 1, maxAgeMonths: 1, handed: 0 },
        { type: 'tax_assessment', count: 1, handed: 0 },
      ],
      requests: [request],
      kyc: check,
      eid: check,
    },
    busy: {
      ...progress,
      steps: steps(done, { name: 'kyc', state: 'running' }, { name: 'analysis', state: 'running' }),
      kyc: { ...check, status: 'pending' },
      analysis: 'processing',
    },
    over: {
      ...progress,
      steps: steps(
        done,
        { name: 'kyc', state: 'ended' },
        { name: 'eid', state: 'ended' },
        { name: 'analysis', state: 'done' },
      ),
      kyc: { status: 'rejected', reason: rejectionReasons.other_person, token: null },
      eid: { status: 'expired', reason: null, token: null },
      analysis: 'completed',
    },
  };
}

/** The pages behind the links of invitations and onboarding, in every state. @param name a name too long for a phone */
export function linkPagesFor(t: Texts, name: string): Record<string, UnmarkedPage> {
  const invited = {
    applicationId: '',
    apiKeyId: '',
    participantId: '',
    title: 'Flat on Calle de Alcalá 42, third floor',
    landlord: 'Casa Clara',
    brand: NO_BRAND,
    contact: CONTACT,
    periods: NO_SETTINGS,
    isLead: false,
    isGuarantor: false,
    email: `jonas.${'weber-'.repeat(9)}@mail.example`,
    name,
    consent: 'pending' as const,
    inviter: 'Marta Ruiz',
    key: { revoked_at: null, expires_at: null },
    isExpired: false,
    mayUpload: false,
    hasProfile: true,
    profile: { profile_completed_at: null, profile_outdated_at: null },
  };
  const invitation: Invitation = { ...invited, expiredAt: null };
  const long = { title: `${name} `.repeat(3), landlord: name, inviter: name };
  const onboarding: Onboarding = { ...invited, linkId: '', name: 'Jonas Weber', state: 'open' };
  const mistake = { fault: 'long-name' as const, sent: new URLSearchParams({ name }) };
  const { begun, progress, busy, asked: wanted, over } = progressFor(name);
  const handed: DocumentsView = {
    landlord: 'Casa Clara',
    brand: NO_BRAND,
    contact: CONTACT,
    title: 'Flat on Calle de Alcalá 42, third floor',
    limitMib: 25,
    progress,
    phone: `https://screening.example/invitation/phone/${'x'.repeat(160)}`,
    here: '#',
    pieces: '#',
    below: () => '#',
    removed: [],
    most: 20,
    today: '2026-11-16',
    back: '#',
  };
  const to = () => '#';
  const viewOf = (shown: Progress) => ({
    t,
    to,
    hasBanks: shown === wanted,
    flow: to,
    phone: handed.phone,
    progress: shown,
  });
  const view = viewOf(begun);
  const host = { landlord: 'Casa Clara', brand: NO_BRAND, contact: CONTACT };
  const dataLinks = { copy: '#', erasure: '#', withdrawal: '#' };
  const part = { ...handed, isLead: false, candidates: [], leave: '#', lead: '#' };
  const member = { ...invitation, consent: 'accepted' as const, mayUpload: true };
  const at = '2026-11-03T10:00:00.000Z';
  const asked = {
    participant_id: '',
    api_key_id: '',
    requested_at: at,
    due_at: '2026-12-01T10:00:00.000Z',
    ...NOT_CLOSED,
  };
  const refused = {
    ...asked,
    closed_at: at,
    outcome: 'refused' as const,
    reason: `The contract is kept until May. ${name}`,
  };
  const faults = [
    { name: 'IMG_0042.HEIC', message: t.text('documents.refused.heic') },
    { name, message: t.text('documents.refused.encrypted') },
  ];
  return {
    documents: documentsPage(t, handed),
    'documents-removed': documentsPage(t, {
      ...handed,
      removed: [
        { id: '8', name: `${name}.pdf`, type: 'payslip' },
        { id: '9', name: 'x.pdf', type: null },
      ],
    }),
    'documents-none': documentsPage(t, { ...handed, progress: { ...progress, documents: [], handed: 0 } }),
    'documents-wanted': documentsPage(t, { ...handed, progress: wanted, bank: '#' }),
    'documents-wrong': documentsPage(t, { ...handed, ...long, faults, type: 'payslip' }),
    'documents-no-type': documentsPage(t, {
      ...handed,
      progress: { ...progress, documents: [], handed: 0 },
      faults: [{ name: '', message: t.text('documents.no-type') }],
    }),
    data: dataPage(t, { ...handed, ...dataLinks, email: invited.email, held: manyHeld(name), request: undefined }),
    'data-asked': dataPage(t, {
      ...handed,
      ...dataLinks,
      ...long,
      email: invited.email,
      held: nothingHeld,
      request: asked,
    }),
    'data-refused': dataPage(t, { ...handed, ...dataLinks, email: invited.email, held: nothingHeld, request: refused }),
    phone: handOverPage(t),
    'phone-over': noHandOverPage(t),
    invitation: invitationPage(invitation, view),
    'invitation-wrong': invitationPage({ ...invitation, ...long }, view, mistake),
    home: { ...invitationPage(member, viewOf(progress)), host },
    'home-next': { ...invitationPage(member, viewOf(wanted)), host },
    'home-running': { ...invitationPage({ ...member, isLead: true }, viewOf(busy)), host },
    'home-failed': invitationPage(member, viewOf({ ...over, steps: [{ name: 'analysis', state: 'ended' }] })),
    'home-over': { ...invitationPage({ ...member, ...long, isGuarantor: true }, viewOf(over)), host },
    'home-guarantor': invitationPage({ ...member, isGuarantor: true, contact: NO_CONTACT }, viewOf(wanted)),
    'home-untitled': invitationPage({ ...member, title: '' }, viewOf(progress)),
    'invitation-declined-untitled': invitationPage({ ...invitation, title: '', consent: 'rejected' }, view),
    part: partPage(t, part),
    'part-lead': partPage(t, {
      ...part,
      isLead: true,
      candidates: [
        { id: '1', name },
        { id: '2', name: 'j…@mail.example' },
      ],
    }),
    'part-lead-alone': partPage(t, { ...part, title: '', isLead: true }),
    accessibility: accessibilityPage(t, host, '#'),
    renew: { ...renewPage(t, '#'), host },
    renewed: { ...renewedPage(t), host },
    reminders: { ...remindersPage(t, '#'), host },
    'reminders-stopped': { ...remindersStoppedPage(t), host },
    'invitation-guarantor': invitationPage({ ...invitation, isGuarantor: true }, view),
    'invitation-guarantor-without-inviter': invitationPage({ ...invitation, isGuarantor: true, inviter: null }, view),
    'onboarding-guarantor': onboardingPage({ ...onboarding, state: 'asking', isGuarantor: true }, view),
    'invitation-profile': invitationPage(
      { ...invitation, consent: 'accepted', mayUpload: true, hasProfile: false },
      view,
    ),
    'invitation-profile-wrong': invitationPage(
      { ...invitation, ...long, consent: 'accepted', mayUpload: true, hasProfile: false },
      view,
      mistake,
    ),
    'invitation-by-nobody': invitationPage({ ...invitation, inviter: null }, view),
    'invitation-accepted-over': invitationPage({ ...invitation, consent: 'accepted' }, view),
    'invitation-declined': invitationPage({ ...invitation, ...long, consent: 'rejected' }, view),
    'invitation-expired': invitationPage(
      { ...invitation, isExpired: true, expiredAt: '2026-12-22T10:00:00.000Z' },
      view,
    ),
    removed: removedPage({ ...host, title: invited.title }, view),
    'removed-long': removedPage({ ...host, ...long }, view),
    onboarding: onboardingPage(onboarding, view),
    'onboarding-asking': onboardingPage({ ...onboarding, state: 'asking' }, view),
    'onboarding-asking-wrong': onboardingPage({ ...onboarding, ...long, state: 'asking' }, view, mistake),
    'onboarding-declined': onboardingPage({ ...onboarding, state: 'declined' }, view),
    'onboarding-wrong': onboardingPage({ ...onboarding, ...long }, view, mistake),
    'onboarding-used': onboardingPage({ ...onboarding, state: 'used', mayUpload: true }, viewOf(progress)),
    'onboarding-over': onboardingPage({ ...onboarding, state: 'used' }, view),
    'onboarding-expired': onboardingPage({ ...onboarding, state: 'expired', isExpired: true }, view),
    'link-unknown': unknownPage(t),
    'link-trouble': troublePage(t),
  };
}
