import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { isRecord } from '../../core/text.ts';
import { choose } from '../../harness/browser/kyc-page.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';
import { changedPayslip } from './changed-payslip.ts';
import type { Guide } from './tour-guide.ts';

const EMAIL = 'jonas.weber@mail.example';
const GENUINE = 'payslip-january.pdf';
const MAX_LOOKS = 100;
const LOOK_MS = 100;
const CHANGED = 'payslip-february.pdf';

/** An invited person accepts, uploads a genuine and a changed payslip on the page, and both are told apart. */
export async function documents(guide: Guide, applicationId: string): Promise<void> {
  let link = '';
  guide.chapter('Documents');
  await guide.step(
    'The link of the invitation leads to a page, where its person accepts and confirms a name',
    async () => {
      link = await invitationLink(guide);
      const asked = await submit(link, new URLSearchParams({ answer: 'accept' }));
      assert.match(asked.text, /Complete your profile/);
      const { text } = await submit(link, new URLSearchParams({ name: 'Jonas Weber' }));
      assert.match(text, /You have accepted/);
      return 'You have accepted';
    },
  );
  await guide.step('They upload two payslips, one of which was changed', async () => {
    const form = new FormData();
    form.append('type', 'payslip');
    const lines = [
      'Payslip January (sample)',
      'Jonas Weber',
      'Gross pay 2,900.00',
      'Deductions 685.65',
      'Net pay 2,214.35',
    ];
    for (const [name, content] of [
      [GENUINE, sampleDocument(lines)],
      [CHANGED, changedPayslip()],
    ] as const)
      form.append('file', new Blob([new Uint8Array(content)]), name);
    const { text } = await submit(`${link}/documents`, form);
    assert.match(text, /2 documents handed in/);
    return '2 documents handed in';
  });
  await guide.step('They connect their bank, look at what it sent, and hand it in', async () => {
    await connectBank(`${link}/bank`);
    return 'a statement from the bank';
  });
  await guide.step(
    'Once their identity is verified, the analysis starts automatically and tells them apart',
    async () => {
      const { data } = await guide.ok('GET', `/applications/${applicationId}`);
      const tenantId = tenantIn(data['participants']);
      const kyc = await guide.ok('GET', `/tenants/initiate-kyc/${tenantId}`);
      assert.equal(await choose(String(kyc.data['verification_url']), 'verified'), 'You are verified');
      const outcomes = outcomesOf((await guide.event('FORENSIC_ANALYSIS_DATA', 3)).data);
      assert.equal(outcomes.get(GENUINE), 'no_finding');
      assert.equal(outcomes.get(CHANGED), 'tampered');
      return [...outcomes].map(([name, outcome]) => `${name}: ${outcome}`).join(', ');
    },
  );
}

async function invitationLink(guide: Guide): Promise<string> {
  for (const file of await guide.mails()) {
    // Lines of a mail are folded by `=`, and `=` itself is written `=3D`.
    const mail = (await readFile(file, 'utf8')).replace(/=\r?\n/g, '').replaceAll('=3D', '=');
    const link = /https?:\S+?\/invitation\/[\w-]+/.exec(mail)?.[0];
    if (mail.includes(`To: ${EMAIL}`) && link) return link;
  }
  throw new Error(`${EMAIL} has no invitation.`);
}

async function submit(url: string, body: URLSearchParams | FormData): Promise<{ text: string }> {
  const answer = await fetch(url, { method: 'POST', body, headers: { accept: 'text/html' } });
  assert.equal(answer.status, 200);
  return { text: await answer.text() };
}

/** Consents here and at the simulated bank, as a browser does without JavaScript. */
async function connectBank(page: string): Promise<void> {
  const accept = 'text/html';
  const look = async () => (await fetch(page, { headers: { accept } })).text();
  const [, shown = ''] = /name="shown" value="([^"]+)"/.exec(await look()) ?? [];
  const body = new URLSearchParams({ country: 'ES', bank: 'Banco de Ejemplo', shown });
  const away = await fetch(page, { method: 'POST', body, headers: { accept }, redirect: 'manual' });
  const bank = new URL(away.headers.get('location') ?? '');
  const state = bank.searchParams.get('state') ?? '';
  const [cookie = ''] = (away.headers.get('set-cookie') ?? '').split(';', 1);
  const back = new URL(`callback?${new URLSearchParams({ state, code: 'salary' })}`, bank);
  await fetch(back, { headers: { accept, cookie }, redirect: 'manual' });
  for (let tries = 0; tries < MAX_LOOKS; tries++) {
    const [, id] = /bank\/([\w-]+)\/hand-in/.exec(await look()) ?? [];
    if (id) {
      const { text } = await submit(`${page}/${id}/hand-in`, new URLSearchParams());
      assert.match(text, /It is among your documents/);
      return;
    }
    await setTimeout(LOOK_MS);
  }
  throw new Error('The simulated bank was not read.');
}

function tenantIn(participants: unknown): string {
  const found = Array.isArray(participants) && participants.find((one) => isRecord(one) && one['email'] === EMAIL);
  assert.ok(isRecord(found) && typeof found['id'] === 'string', 'the participant has no account');
  return found['id'];
}

function outcomesOf(data: unknown): Map<string, string> {
  const list = isRecord(data) && Array.isArray(data['documents']) ? data['documents'] : [];
  return new Map(list.filter(isRecord).map((one) => [String(one['name']), String(one['outcome'])]));
}
