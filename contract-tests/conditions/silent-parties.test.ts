import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { startSilence } from '../../harness/peers/silence.ts';
import { programEnv, startServiceProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { startTestService, useService } from '../../harness/service/service.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';

databases('either', 'nightly');

const PARTIES = ['documents', 'scanner', 'mail', 'kyc', 'eid'];
const MAX_DOCTOR_MS = 20_000;
const LOAD = 40;
const RUNS = 5;
const LOADED_TIMEOUT_MS = 600_000;
/** A program that takes all the time of a core. It ends itself, in case the run is killed. */
const BUSY = `const end = Date.now() + ${LOADED_TIMEOUT_MS}; while (Date.now() < end);`;

/** A doctor in a process of its own. @returns its lines, and how long it took from the first one on */
async function doctor(env: Record<string, string>, ...options: string[]): Promise<{ printed: string; ms: number }> {
  const child = spawn(process.execPath, ['bin/admin.ts', 'doctor', ...options], {
    env: { ...programEnv(), ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let [printed, beganAt] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (printed === '') beganAt = performance.now();
    printed += text;
  });
  await once(child, 'close');
  return { printed, ms: performance.now() - beganAt };
}

describe('parties outside that are silent', () => {
  const silence = suiteFixture(startSilence);
  const test = useService({ RUN_WORKERS: 'false' });
  const settings = () => {
    const at = `127.0.0.1:${silence.port}`;
    return {
      ...{ DOCUMENT_STORE: 's3://silent-bucket/documents', S3_ENDPOINT: `http://${at}` },
      ...{ S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
      ...{ MAIL_PROVIDER: 'smtp', MAIL_FROM: 'Screening <screening@mail.example>' },
      ...{ SMTP_TLS: 'none', SMTP_URL: `smtp://${at}` },
      ...{ KYC_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
      ...{ STRIPE_API_BASE: `http://${at}`, EID_PROVIDER: 'oidc', EID_ISSUER: `http://${at}` },
      ...{ EID_CLIENT_ID: 'a', EID_CLIENT_SECRET: 'secret', VIRUS_SCANNER: `tcp://${at}` },
    };
  };

  it('are problems in the doctor, which prints the other answers meanwhile and ends in time', async () => {
    // A machine that is busy just now may take longer for the database's answers than the doctor waits for parties. Once is enough.
    await until('the doctor did not wait for the parties', async () => {
      const { printed, ms } = await doctor({ ...new Admin(test).env, ...settings() });
      const lines = printed.split('\n');
      const lineOf = (words: string) => lines.findIndex((line) => line.startsWith(words));
      expect(lineOf('OK       settings ')).to.be.at.least(0);
      for (const party of PARTIES)
        expect(lineOf(`PROBLEM  ${party} `), party).to.be.above(lineOf('OK       settings '));
      expect(printed).to.not.include('No problems found');
      const encoding = lineOf('OK       encoding ');
      return encoding > 0 && PARTIES.every((party) => lineOf(`PROBLEM  ${party} `) > encoding) && ms < MAX_DOCTOR_MS;
    });
  });

  it('are problems in the console, which does not say meanwhile that there are none', async () => {
    const service = await startTestService({ ...CONSOLE, RUN_WORKERS: 'false', ...settings() });
    try {
      const browser = await OperatorBrowser.signIn(service, 'viewer');
      await until('the overview names each', async () => {
        const { text } = await browser.open('/');
        expect(text).to.not.include('No problems found');
        return PARTIES.every((party) => text.includes(`data-condition="${party}"`));
      });
    } finally {
      await service.stop();
    }
  });
});

describe('a machine at load 40', () => {
  const test = useService({ RUN_WORKERS: 'false' });

  it('has no process that the doctor calls frozen', async function () {
    this.timeout(LOADED_TIMEOUT_MS);
    const { env } = new Admin(test);
    const service = await startServiceProcess({ ...env, OPS_PORT: '0', RUN_WORKERS: 'false' });
    const load = Array.from({ length: LOAD }, () => spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }));
    try {
      const ports = { OPS_PORT: new URL(service.operatorsUrl ?? '').port, PUBLIC_URL: service.url };
      for (let run = 0; run < RUNS; run++) {
        const answers: { check: string; state: string; found: string }[] = JSON.parse(
          (await doctor({ ...env, ...ports }, '--json')).printed,
        );
        const { state, found } = answers.find(({ check }) => check === 'process') ?? expect.fail('no answer');
        // The database, too, may be too slow to tell.
        expect(state, found).to.be.oneOf(['ok', 'warning', 'not checked']);
        expect(found).to.not.include('frozen');
      }
    } finally {
      for (const one of load) one.kill('SIGKILL');
      await service.kill();
    }
  });
});
