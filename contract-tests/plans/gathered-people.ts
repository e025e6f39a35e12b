import { amounts, every, type Gathering } from './gathering.ts';

const { applications, participants, tenants } = amounts;

export async function addLandlords(to: Gathering): Promise<void> {
  await to.add('landlords', 1_000, { id: to.id('landlord'), name: `'Landlord ' || i`, created_at: to.over(1_000) });
  await to.add('landlord_brands', 1_000, {
    landlord_id: to.id('landlord'),
    colour: `'#0a7d33'`,
    logo_digest: to.id('other'),
    logo_width: '480',
    logo_height: '160',
  });
  await to.add('landlord_settings', 1_000, {
    landlord_id: to.id('landlord'),
    contact_mail: `'desk@letting.example'`,
    mails_reminders: every(100, '1', '0'),
    retain_documents_days: every(200, '30', 'null'),
    retain_applications_days: every(200, '30', 'null'),
    retain_verifications_days: every(200, '30', 'null'),
    retain_analyses_days: every(200, '30', 'null'),
  });
  await to.add('api_keys', 2_000, {
    id: to.id('key'),
    client_id: to.id('other'),
    client_secret_hash: to.id('other'),
    landlord_id: to.id('landlord', 'i % 1000 + 1'),
    name: `'Key ' || i`,
    created_at: to.over(2_000),
  });
  await to.add('former_client_secrets', 3_000, {
    id: to.id('other'),
    api_key_id: to.id('key', 'i % 2000 + 1'),
    client_secret_hash: to.id('other'),
    expires_at: to.soon,
  });
  await addMembers(to);
  await to.add('workspaces', 3_000, {
    workspace_id: to.id('workspace'),
    landlord_id: to.id('landlord', 'i % 1000 + 1'),
    workspace_name: `'Workspace ' || i`,
    created_at: to.over(3_000),
  });
  await to.add('properties', 10_000, {
    property_id: to.id('property'),
    workspace_internal_id: 'i % 3000 + 1',
    property_reference: `'Ref ' || i`,
  });
}

async function addMembers(to: Gathering): Promise<void> {
  await to.add('members', 5_000, {
    id: to.id('participant'),
    landlord_id: to.id('landlord', 'i % 1000 + 1'),
    mail_address: `'member' || i || '@letting.example'`,
    comparable_email: `'member' || i || '@letting.example'`,
    name: `'Member ' || i`,
    role: every(3, `'admin'`, every(2, `'developer'`, `'agent'`)),
    created_at: to.over(5_000),
  });
  await to.add('member_keys', 5_000, {
    member_id: to.id('participant'),
    api_key_id: to.id('key', 'i % 2000 + 1'),
  });
  await to.add('member_sessions', 5_000, {
    token_hash: to.id('other'),
    id: to.id('other'),
    member_id: to.id('participant'),
    browser: `'Firefox/150'`,
    created_at: to.over(5_000),
    used_at: to.over(5_000),
    expires_at: to.soon,
  });
  await to.add('member_mails', 5_000, {
    id: to.id('other'),
    landlord_id: to.id('landlord', 'i % 1000 + 1'),
    kind: every(3, `'invitation'`, `'link'`),
    mailbox: `'member' || i || '@bulk.example'`,
    sent_at: to.minutesAgo('i * 0.28'),
  });
  await to.add('member_passkeys', 5_000, {
    id: to.id('other'),
    member_id: to.id('participant'),
    name: `'Firefox, Linux'`,
    credential_id: to.id('other'),
    public_key: `'a'`,
    counter: '0',
    challenge_at: to.over(5_000),
    created_at: to.over(5_000),
  });
  await to.add('member_forms', 5_000, {
    member_id: to.id('participant'),
    sealed_form: `'c2VhbGVk'`,
    kept_at: to.minutesAgo('i * 0.011'),
  });
  await to.add('member_notices', 5_000, {
    id: to.id('other'),
    member_id: to.id('participant'),
    sent_at: to.minutesAgo('i * 0.28'),
  });
}

/** Every fifth application is the caller's. */
export async function addApplications(to: Gathering, callerKeyId: string): Promise<void> {
  await to.add('applications', applications, {
    id: to.id('application'),
    api_key_id: every(5, `'${callerKeyId}'`, to.id('key', 'i % 5')),
    title: `'Application ' || i`,
    active_email_key: to.id('other'),
    created_at: to.over(applications),
    updated_at: to.over(applications),
    property_internal_id: 'i',
  });
  await to.add('participants', participants, {
    id: to.id('participant'),
    application_id: to.id('application', '(i - 1) / 3 + 1'),
    position: '(i - 1) % 3',
    email: `'person' || i || '@bulk.example'`,
    comparable_email: `'person' || i || '@bulk.example'`,
    name: `'Person ' || i`,
    is_lead: 'case when i % 3 = 1 then 1 else 0 end',
    is_guarantor: '0',
    consent_status: every(7, `'pending'`, `'accepted'`),
    removed_at: every(11, to.over(participants), 'null'),
  });
  await to.add('tenants', tenants, {
    id: to.id('tenant'),
    email: `'person' || i || '@bulk.example'`,
    comparable_email: `'person' || i || '@bulk.example'`,
    name: `'Person ' || i`,
    created_at: to.over(tenants),
  });
  await to.add('former_co_applicants', tenants - 1, {
    tenant_id: to.id('tenant'),
    other_tenant_id: to.id('tenant', 'i + 1'),
  });
}

export async function addLinks(to: Gathering): Promise<void> {
  await to.add('invites', tenants, {
    id: to.id('flow'),
    participant_id: to.id('participant'),
    token_hash: to.id('other'),
    expires_at: to.over(tenants),
    due_at: every(20, to.soon, 'null'),
    ...to.done(tenants, 'sent'),
  });
  await to.add('sent_mails', 10_000, {
    id: to.id('other'),
    api_key_id: to.id('key', 'i % 5'),
    comparable_email: `'person' || i || '@bulk.example'`,
    sent_at: to.minutesAgo('i * 0.14'),
  });
  await to.add('daily_uses', 2_000, {
    day: `substr(${to.minutesAgo('0')}, 1, 10)`,
    kind: every(3, `'mails'`, every(2, `'eid flows'`, `'kyc verifications'`)),
    api_key_id: to.id('key', 'i'),
    used: '1',
    reached_at: every(50, to.minutesAgo('0'), 'null'),
  });
  await to.add('onboarding_links', 5_000, {
    id: to.id('other'),
    participant_id: to.id('participant'),
    token_hash: to.id('other'),
    created_at: to.over(5_000),
    expires_at: to.over(5_000),
  });
  await to.add('former_links', 5_000, {
    token_hash: to.id('other'),
    participant_id: to.id('participant'),
    expires_at: to.over(5_000),
  });
  await to.add('document_requests', 5_000, {
    id: to.id('other'),
    participant_id: to.id('participant'),
    type: `'payslip'`,
    reason: `'The last page is missing.'`,
    created_at: to.over(5_000),
  });
  await to.add('erasure_requests', 5_000, {
    participant_id: to.id('participant'),
    api_key_id: to.id('key', 'i % 2000 + 1'),
    requested_at: to.over(5_000),
    due_at: to.over(5_000),
    closed_at: every(20, 'null', to.over(5_000)),
  });
  await to.add('payments', 5_000, {
    id: to.id('other'),
    participant_id: to.id('participant'),
    amount: '100',
    is_protected: '0',
    status: `'pending'`,
    created_at: to.over(5_000),
  });
}

export async function addDocuments(to: Gathering): Promise<void> {
  await to.add('documents', tenants, {
    id: to.id('document'),
    tenant_id: to.id('tenant', `i * 7 % ${tenants} + 1`),
    name: `'payslip.pdf'`,
    media_type: `'application/pdf'`,
    size_bytes: '1000',
    sha256: to.id('other'),
    source: `'operator'`,
    created_at: to.over(tenants),
    removed_at: every(50, to.minutesAgo('i * 0.01'), 'null'),
    removed_for: every(50, to.id('key', 'i % 2000 + 1'), 'null'),
  });
  await to.add('upload_pieces', 10_000, {
    id: to.id('other'),
    upload_id: to.id('document', 'i / 20'),
    participant_id: to.id('participant', 'i / 100'),
    api_key_id: to.id('key', 'i % 2000 + 1'),
    sha256: to.id('other'),
    size_bytes: '262144',
    created_at: to.minutesAgo('i * 0.146'),
  });
  await to.add('document_glances', tenants, {
    document_id: to.id('document'),
    sealed_glance: to.id('other'),
    sealed_thumbnail: every(10, 'null', to.id('other')),
  });
  await to.add('document_fingerprints', tenants, {
    document_id: to.id('document'),
    kind: `'figures'`,
    value: to.id('other'),
  });
}
