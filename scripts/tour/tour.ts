import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { chooseAtEid } from '../../harness/browser/eid-page.ts';
import { choose } from '../../harness/browser/kyc-page.ts';
import { until } from '../../harness/process/until.ts';
import { documents } from './documents.ts';
import { Guide } from './tour-guide.ts';

const REDIRECT_URL = 'http://localhost:4000/back?case=8121';
const TITLE = 'Penthouse on Gran Vía 7';
const TENANTS = [
  { email: 'marta.ruiz@mail.example', is_lead: true },
  { email: 'jonas.weber@mail.example', is_lead: false },
  { email: 'amina.diallo@mail.example', is_lead: false },
];

/** Walks through the story and prints each step. @returns the number of steps @throws at the first that differs */
export async function tour(env: Record<string, string>, mailbox: string, print = console.log): Promise<number> {
  const guide = await Guide.start(env, mailbox, print);
  try {
    await access(guide);
    const applicationId = await creation(guide);
    await participants(guide, applicationId);
    await identity(guide);
    await electronicIdentity(guide);
    await documents(guide, applicationId);
    await properties(guide);
    return guide.steps;
  } finally {
    await guide.stop();
  }
}

async function access(guide: Guide): Promise<void> {
  const { CLIENT_ID, CLIENT_SECRET } = guide.env;
  const basic = `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`;
  guide.chapter('Access');
  await guide.step('A call without a token is refused', () =>
    guide.refused(401, 'GET', '/property-management/workspaces', undefined, ''),
  );
  await guide.step('Credentials in a JSON body are refused', () =>
    guide.refused(401, 'POST', '/authenticate/token', { client_id: CLIENT_ID, client_secret: CLIENT_SECRET }, ''),
  );
  await guide.step('HTTP Basic gives a bearer token for one hour', async () => {
    const { data } = await guide.ok('POST', '/authenticate/token', undefined, basic);
    assert.equal(data['expires_in'], 3600);
    guide.token = String(data['access_token']);
    return 'expires_in 3600';
  });
  await guide.step('A webhook with a secret is registered', async () => {
    const { data } = await guide.ok('POST', '/webhooks/create-webhook', guide.webhook);
    return `status ${data['status']}`;
  });
}

async function creation(guide: Guide): Promise<string> {
  let applicationId = '';
  guide.chapter('Application');
  await guide.step('An application of three people is created', async () => {
    const { data, message } = await guide.ok('POST', '/applications/create-application', {
      title: TITLE,
      tenants: TENANTS,
    });
    applicationId = String(data['application_id']);
    assert.equal(data['title'], TITLE);
    return message;
  });
  await guide.step('The two who do not lead are invited by e-mail', async () => {
    await invitations(guide);
    return '2 mails';
  });
  await guide.step('The same people again give the same application', async () => {
    const tenants = [...TENANTS].reverse().map((tenant) => ({ ...tenant, email: tenant.email.toUpperCase() }));
    const { data, message } = await guide.ok('POST', '/applications/create-application', { title: 'Other', tenants });
    assert.deepEqual(data, { application_id: applicationId, title: TITLE });
    return message;
  });
  await guide.step('It is shown with its participants, without roles', async () => {
    const { data } = await guide.ok('GET', `/applications/${applicationId}`);
    const shown = listIn(data, 'participants');
    assert.equal(shown.length, 3);
    assert.ok(shown.every((participant) => !('is_lead' in participant)));
    return '3 participants';
  });
  return applicationId;
}

async function invitations(guide: Guide): Promise<void> {
  const files = await until('two mails were in the mailbox', async () => {
    const found = await guide.mails();
    return found.length >= 2 && found;
  });
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const recipients = texts.map((text) => /^To: (.+)$/m.exec(text)?.[1]?.trim()).sort();
  assert.deepEqual(recipients, ['amina.diallo@mail.example', 'jonas.weber@mail.example']);
}

async function participants(guide: Guide, applicationId: string): Promise<void> {
  const path = (email: string, id = applicationId) => `/applications/${id}/participants/${email}`;
  await guide.step('A participant becomes a guarantor', async () => {
    const change = { name: 'Amina Diallo', is_guarantor: true };
    const { data } = await guide.ok('PATCH', path('amina.diallo@mail.example'), change);
    assert.deepEqual({ ...listIn(data, 'participants')[2], ...change }, listIn(data, 'participants')[2]);
    return 'Amina Diallo';
  });
  await guide.step('The lead cannot be removed', () => guide.refused(409, 'DELETE', path('marta.ruiz@mail.example')));
  await guide.step('Another participant can', async () => {
    const { data } = await guide.ok('DELETE', path('amina.diallo@mail.example'));
    assert.equal(listIn(data, 'participants').length, 2);
    assert.ok(!('warnings' in data));
    return 'no warnings';
  });
  await guide.step('Removing a person with a pending payment warns', async () => {
    const { data } = await guide.ok('DELETE', path('jonas.weber@mail.example', guide.env['APPLICATION_ID']));
    assert.deepEqual(data['warnings'], { service_protect_affected: true });
    return 'service_protect_affected true';
  });
}

async function identity(guide: Guide): Promise<void> {
  const { TENANT_ID } = guide.env;
  guide.chapter('Verification');
  await guide.step('Forensic analysis waits for the identity', async () => {
    const { data } = await guide.ok('GET', `/tenants/run-forensic/${TENANT_ID}`);
    assert.deepEqual(data, { processing_status: 'KYC_PENDING', added_to_queue: false });
    return 'KYC_PENDING';
  });
  await guide.step('KYC gives a page; its person goes through it and is verified', async () => {
    const { data } = await guide.ok('GET', `/tenants/initiate-kyc/${TENANT_ID}`);
    const end = await choose(String(data['verification_url']), 'verified');
    assert.equal(end, 'You are verified');
    return end;
  });
  await guide.step('KYC_VERIFICATION_DATA arrives and its signature verifies', async () => {
    const { data, headers } = await guide.event('KYC_VERIFICATION_DATA');
    assert.equal(data?.['tenant_id'], TENANT_ID);
    return String(headers['webhook-id']);
  });
  await guide.step('The forensic run starts automatically; FORENSIC_ANALYSIS_DATA arrives', async () => {
    const { headers } = await guide.event('FORENSIC_ANALYSIS_DATA');
    return String(headers['webhook-id']);
  });
}

async function electronicIdentity(guide: Guide): Promise<void> {
  await guide.step('The national eID link leads to a sign-in, and that back to the redirect_url', async () => {
    const { data } = await guide.ok('POST', `/tenants/initiate-eid/${guide.env['TENANT_ID']}`, {
      redirect_url: REDIRECT_URL,
    });
    const back = await chooseAtEid(String(data['verification_link']), 'Confirm my identity');
    assert.equal(back, REDIRECT_URL);
    return back;
  });
  await guide.step('EID_SUCCESS arrives without data and its signature verifies', async () => {
    const { data, headers } = await guide.event('EID_SUCCESS');
    assert.equal(data, null);
    return String(headers['webhook-id']);
  });
  await guide.step('The new identity document is analysed automatically too', async () => {
    const { body, headers } = await guide.event('FORENSIC_ANALYSIS_DATA', 2);
    assert.match(body, /national-identity\.pdf/);
    return String(headers['webhook-id']);
  });
}

async function properties(guide: Guide): Promise<void> {
  const { PROPERTY_ID, WORKSPACE_ID } = guide.env;
  guide.chapter('Property management');
  await guide.step('The landlord sees the workspaces', async () => {
    const { data } = await guide.ok('GET', '/property-management/workspaces');
    const names = listIn(data, 'workspaces').map((workspace) => workspace['workspace_name']);
    assert.deepEqual(names, ['Madrid centre', 'Valencia coast']);
    return names.join(', ');
  });
  await guide.step('A property is addressed by its public identifiers', async () => {
    const { data } = await guide.ok(
      'GET',
      `/property-management/properties/${PROPERTY_ID}?workspace_id=${WORKSPACE_ID}`,
    );
    assert.match(JSON.stringify(data['property']), /"property_reference":"MAD-ALC-42-3B","rent_amount":1450.5/);
    return 'MAD-ALC-42-3B, 1450.5';
  });
  await guide.step('An internal identifier is refused', () =>
    guide.refused(400, 'GET', `/property-management/properties/${PROPERTY_ID}?workspace_id=1`),
  );
}

function listIn(data: Record<string, unknown>, name: string): Record<string, unknown>[] {
  const list = data[name];
  assert.ok(Array.isArray(list), `${name} is not a list`);
  return list;
}
