import { type ChildProcess, execFile } from 'node:child_process';
import { expect } from 'chai';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { spawnProgram } from '../../harness/process/process.ts';
import { eventually, hearLines } from '../../harness/process/signals.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';

databases('sqlite');

const PROGRAM = new URL('../../examples/typed-client.ts', import.meta.url);
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('examples/typed-client.ts', () => {
  let test: TestService;
  before(async () => {
    test = await startTestService();
  });
  after(() => test.stop());

  const environment = ({ service, alice }: TestService) => ({
    BASE_URL: `${service.url}${basePath}`,
    CLIENT_ID: alice.clientId,
    CLIENT_SECRET: alice.clientSecret,
  });

  it('gets from credentials to an application with its participants', async () => {
    const { code, stdout, stderr } = await run(environment(test));
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    const id = /^Studio at Gran Vía 7 \((.+)\)\n/.exec(stdout)?.[1] ?? '';
    const { data } = await test.alice.ok('getApplication', { params: { applicationId: id } });
    for (const { email } of data.participants) expect(stdout).to.include(`  ${email}: pending\n`);
  });

  it('shows the status and the message of a refusal', async () => {
    const { code, stderr } = await run({ ...environment(test), CLIENT_SECRET: 'wrong' });
    expect(code).to.equal(1);
    expect(stderr).to.include('Error: 401 The client_id or client_secret is wrong');
  });

  it('says in one sentence what it needs', async () => {
    const { code, stderr } = await run({});
    expect(code).to.equal(1);
    expect(stderr).to.match(/^Set BASE_URL, CLIENT_ID and CLIENT_SECRET[^\n]*\n$/);
  });
});

describe('examples/webhook-receiver.ts', () => {
  let test: TestService;
  let receiver: ChildProcess;
  const lines: string[] = [];
  before(async () => {
    test = await startTestService();
    receiver = spawnProgram('../../examples/webhook-receiver.ts', { WEBHOOK_SECRET: SECRET, PORT: '0' });
    hearLines(receiver.stdout, (line) => lines.push(line));
  });
  after(async () => {
    receiver.kill();
    await test.stop();
  });

  const address = () => eventually('it listened', () => /http:\S+/.exec(lines[0] ?? '')?.[0]);

  it('prints the events of a verification, each once', async () => {
    const { tenantId } = await setStage(test);
    await test.alice.ok('createWebhook', { body: { url: await address(), secret: SECRET } });
    await test.alice.ok('initiateKyc', { params: { tenantId } });
    await eventually('both events were printed', () => lines.length >= 3);
    const events = lines.slice(1).map((line) => line.split(' ', 1).join());
    expect(events).to.have.members(['KYC_VERIFICATION_DATA', 'FORENSIC_ANALYSIS_DATA']);
  });

  it('cuts off an oversized body and keeps running', async () => {
    const sending = fetch(await address(), { method: 'POST', body: 'a'.repeat(20_000_000) });
    expect(
      await sending.then(
        ({ status }) => status,
        () => 'cut off',
      ),
    ).to.be.oneOf([400, 'cut off']);
    expect((await fetch(await address(), { method: 'POST', body: '{}' })).status).to.equal(400);
  });

  it('refuses a body not signed with its secret', async () => {
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1772444403', 'webhook-signature': 'v1,Zm9yZ2Vk' };
    const answer = await fetch(await address(), {
      method: 'POST',
      headers,
      body: '{"event":"EID_SUCCESS","data":null}',
    });
    expect(answer.status).to.equal(400);
    expect(lines.filter((line) => line.startsWith('EID_SUCCESS'))).to.be.empty;
  });
});

function run(env: Record<string, string>): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM.pathname], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}
