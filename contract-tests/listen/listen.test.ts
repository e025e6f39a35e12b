import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { signatureHeaders } from '@tenant-screening/webhook-tools/signatures';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { freePort } from '../../harness/process/running-server.ts';
import { eventually } from '../../harness/process/signals.ts';
import { explain } from '../../packages/webhook-tools/listen/explain.ts';
import { ATTEMPT_TIMEOUT_MS as listenerTimeoutMs } from '../../packages/webhook-tools/listen/forward.ts';
import { readOptions } from '../../packages/webhook-tools/listen/options.ts';
import { ATTEMPT_TIMEOUT_MS } from '../../providers/outbound/outbound-http.ts';
import { type Demo, Gullible, type Line, Listening, startDemo } from './listening.ts';

databases('either', 'nightly');

describe('npm run listen', () => {
  let demo: Demo;
  before(async () => {
    demo = await startDemo();
  });
  after(() => demo.stop());

  const kept = async () => JSON.parse(await readFile(join(demo.folder, 'listen.json'), 'utf8'));

  it('verifies a person, shows each event as verified, and exits', async () => {
    const listening = demo.listenToAnalysis('--trigger', '--for', '3', '--timeout', '40', '--json', '--print-body');
    expect(await listening.end(), listening.stderr).to.equal(0);
    const deliveries = listening.lines('delivery');
    expect(deliveries.map(({ event }) => event)).to.include.members([
      'KYC_VERIFICATION_DATA',
      'EID_SUCCESS',
      'FORENSIC_ANALYSIS_DATA',
    ]);
    for (const { verified, times, status_to_service, body, event } of deliveries)
      expect({ verified, times, status_to_service, event: JSON.parse(String(body)).event }).to.deep.equal({
        ...{ verified: true, times: 1, status_to_service: 204 },
        event,
      });
    expect(listening.lines('summary')).to.deep.equal([
      { type: 'summary', deliveries: 3, verified: 3, rows: [], holds: true },
    ]);
  });

  it('forwards the exact bytes and headers, and returns the receiver’s status to the service', async () => {
    const receiver = await Gullible.start();
    const answers = [500, 204];
    receiver.answer = () => [answers.shift() ?? 204];
    const listening = demo.listen('--trigger', '--forward-to', receiver.url, '--json');
    try {
      const [{ secret } = { secret: '' }] = await listening.next('listening');
      const [first, again] = await eventually('the first delivery came again', () => {
        const same = receiver.came.filter(
          ({ headers }) => headers['webhook-id'] === receiver.came[0]?.headers['webhook-id'],
        );
        return same.length >= 2 && same;
      });
      expect(again?.body).to.deep.equal(first?.body);
      for (const { headers, body } of receiver.came) {
        expect(headers['content-type']).to.equal('application/json');
        expect(headers['user-agent']).to.match(/^tenant-screening-webhooks/);
        const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
        const signed = signatureHeaders(String(headers['webhook-id']), sentAt, body.toString(), [String(secret)]);
        expect(headers).to.include(signed);
      }
    } finally {
      await listening.stop();
      await receiver.stop();
    }
  });

  it('follows no redirect, and reports that the receiver failed', async () => {
    const [receiver, elsewhere] = [await Gullible.start(), await Gullible.start()];
    receiver.answer = () => [307, { location: elsewhere.url }];
    const listening = demo.listen('--trigger', '--for', '1', '--forward-to', receiver.url, '--json');
    try {
      expect(await listening.end()).to.equal(1);
      expect(listening.lines('delivery')[0]).to.include({ status: 307, status_to_service: 307 });
      expect(elsewhere.came).to.deep.equal([]);
    } finally {
      await receiver.stop();
      await elsewhere.stop();
    }
  });

  it('answers 502 while the receiver is down, and continues when it is back', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hook`;
    const listening = demo.listen('--trigger', '--for', '1', '--timeout', '40', '--forward-to', url, '--json');
    const [first] = await listening.next('delivery');
    expect(first).to.include({ no_answer: 'ECONNREFUSED', status_to_service: 502 });
    const back = await Gullible.start(port);
    try {
      expect(await listening.end(), listening.stderr).to.equal(0);
      const again = listening.lines('delivery').find(({ status }) => status === 204);
      expect(again).to.include({ delivery_id: first?.['delivery_id'] }).and.have.property('times').that.is.above(1);
    } finally {
      await back.stop();
    }
  });

  it('reuses its webhook after a restart, and receives what it missed', async () => {
    const port = String(await freePort());
    const first = demo.listen('--port', port, '--json');
    const [{ url, secret } = { url: '', secret: '' }] = await first.next('listening');
    await first.stop();
    const other = demo.listen('--trigger', '--for', '1', '--json');
    expect(await other.end()).to.equal(0);
    const second = demo.listen('--port', port, '--for', '1', '--timeout', '40', '--json');
    expect(await second.end(), second.printed).to.equal(0);
    expect(second.lines('listening')[0]).to.include({ url, secret, is_new: false });
  });

  it('keeps its webhook’s secret readable by its owner only, and registers a new webhook for another database', async () => {
    const file = join(demo.folder, 'listen.json');
    const port = String(await freePort());
    const first = demo.listen('--port', port, '--json');
    await first.next('listening');
    await first.stop();
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    const strangers = (await kept()).map((webhook: object) => ({ ...webhook, client_id: 'of another database' }));
    await writeFile(file, JSON.stringify(strangers));
    const second = demo.listen('--port', port, '--json');
    const [again] = await second.next('listening');
    await second.stop();
    expect(again).to.include({ is_new: true });
    expect(await kept()).to.have.length(strangers.length + 1);
    expect(second.lines('note')).to.deep.equal([]);
  });

  it('says when it registered another webhook beside earlier ones, and how to pause those', async () => {
    const noteOf = async (...args: string[]) => {
      const listening = demo.listen('--json', ...args);
      const [begun] = await listening.next('listening');
      const [note] = await listening.next('note');
      await listening.stop();
      expect(begun).to.include({ is_new: true });
      return String(note?.['text']);
    };
    const port = String(await freePort());
    const first = demo.listen('--port', port, '--json');
    await first.next('listening');
    await first.stop();
    const told = / so another webhook was registered\. .* stay, .*admin -- webhook pause <webhook id>$/;
    expect(await noteOf())
      .to.match(told)
      .and.match(/^The port \d+ is another,/);
    const secret = 'whsec_c2VjcmV0IG9mIGFub3RoZXIgb25l';
    expect(await noteOf('--port', port, '--secret', secret))
      .to.match(told)
      .and.match(/^The secret is another,/);
    await writeFile(join(demo.folder, 'listen.json'), '[{');
    expect(await noteOf('--port', port))
      .to.match(told)
      .and.match(/listen\.json could not be read,/);
  });

  it('says when nothing listens at the forwarding address', async () => {
    const gone = await Gullible.start();
    await gone.stop();
    const listening = demo.listen('--trigger', '--for', '1', '--timeout', '9', '--forward-to', gone.url);
    expect(await listening.end()).to.equal(1);
    expect(listening.printed)
      .to.include('→ nothing listens there (ECONNREFUSED), the service gets 502')
      .and.include('Not enough came through within 9 s: 0 of 1.');
  });

  it('accepts the secret that the receiver already has', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const listening = demo.listen('--secret', secret, '--trigger', '--for', '1', '--timeout', '40', '--json');
    expect(await listening.end()).to.equal(0);
    expect(listening.lines('listening')[0]).to.include({ secret });
    expect(listening.lines('delivery')[0]).to.include({ verified: true });
  });

  it('reports a delivery from another sender, forwards it, and exits with 1', async () => {
    const receiver = await Gullible.start();
    const listening = demo.listen('--forward-to', receiver.url, '--chaos', '--json');
    try {
      const [{ url } = { url: '' }] = await listening.next('listening');
      const answer = await fetch(String(url), { method: 'POST', body: '{"event":"EID_SUCCESS","data":null}' });
      expect(answer.status).to.equal(204);
      expect((await fetch(new URL('/other', String(url)), { method: 'POST' })).status).to.equal(404);
      const [line] = await listening.next('delivery');
      expect(line).to.include({ verified: false, fault: 'Missing required headers', event: 'EID_SUCCESS' });
      expect(receiver.came).to.have.length(1);
      expect(await listening.stop()).to.equal(1);
    } finally {
      await receiver.stop();
    }
  });

  it('prints for people what it does for programs, in 80 columns, and without colours when not on a terminal', async () => {
    const listening = demo.listenOnTerminal('--trigger', '--for', '1', '--timeout', '40', '--print-body');
    expect(await listening.end()).to.equal(0);
    expect(listening.printed)
      .to.match(/^ {2}export WEBHOOK_SECRET=whsec_[\w+/]+=$/m)
      .and.match(/^ {2}\d\d:\d\d:\d\d {2}\w+ +msg_t[0-9a-f]{32}\n {4}✔ verified, first time\n {6}\{\n {8}"event": "/m)
      .and.match(/1 delivery, 1 verified\n\n {2}✔ Everything held\.\n\n$/)
      .and.not.include('\x1b');
    for (const line of listening.printed.split('\n')) expect(line.length, line).to.be.at.most(80);
  });
});

describe('the listener', () => {
  it('waits for a receiver as long as the service does', () => {
    expect(listenerTimeoutMs).to.equal(ATTEMPT_TIMEOUT_MS);
  });
});

describe('npm run listen explains in one sentence', () => {
  let demo: Demo;
  before(async () => {
    demo = await startDemo();
  });
  after(() => demo.stop());

  const refused = async (listening: Listening): Promise<string> => {
    expect(await listening.end(), listening.printed).to.be.oneOf([1, 2]);
    expect(listening.stderr).to.not.match(/^ +at /m);
    return listening.stderr;
  };

  it('that the sandbox was never started', async () => {
    const listening = new Listening({ DATA_DIR: join(demo.folder, 'nothing') }, []);
    expect(await refused(listening)).to.match(/demo\.env is not there\. Start the sandbox .*: npm start\n/);
  });

  it('that the service is not running, and how it was started', async () => {
    const env = { DATA_DIR: demo.folder, BASE_URL: 'http://127.0.0.1:1/api/v1' };
    expect(await refused(new Listening(env, [])))
      .to.include('no service answers at')
      .and.include('PORT=1 npm start');
  });

  it('that BASE_URL lacks the API’s path, and what it looks like', async () => {
    const { BASE_URL: whole = '' } = parseEnv(await readFile(join(demo.folder, 'demo.env'), 'utf8'));
    const BASE_URL = new URL(whole).origin;
    expect(await refused(new Listening({ DATA_DIR: demo.folder, BASE_URL }, []))).to.include(
      `BASE_URL is "${BASE_URL}"; it looks like http://127.0.0.1:3000/api/v1.`,
    );
  });

  it('that another program answers there', async () => {
    const other = await Gullible.start();
    try {
      const env = { DATA_DIR: demo.folder, BASE_URL: other.url };
      expect(await refused(new Listening(env, []))).to.include('is not this service');
    } finally {
      await other.stop();
    }
  });

  it('that the credentials are refused', async () => {
    const env = { DATA_DIR: demo.folder, CLIENT_SECRET: 'of long ago' };
    expect(await refused(new Listening(env, []))).to.include('CLIENT_ID and CLIENT_SECRET are refused');
  });

  it('that the port is in use, before it registers anything', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    try {
      const text = await refused(demo.listen('--port', String(port)));
      expect(text)
        .to.include(`port ${port} is taken, perhaps by another`)
        .and.include(`--port ${port + 1}`);
      expect(await stat(join(demo.folder, 'listen.json')).catch(() => 'no file')).to.equal('no file');
    } finally {
      taken.close();
    }
  });

  const misuse: Record<string, [args: string[], told: string]> = {
    'chaos without a receiver': [['--chaos'], '--chaos needs a receiver'],
    'an unknown trick': [['--forward-to', '4000', '--chaos', 'tickle'], 'There is no tickle. There are: duplicates,'],
    'an invalid address': [['--forward-to', 'my receiver'], 'http://localhost:4000/hook'],
    'an invalid number': [['--for', 'ever'], 'a whole number from 1'],
    'a secret that could be read in two ways': [['--secret', 'whsec_abc'], 'whsec_ and complete base64'],
    'a time limit without an end': [['--timeout', '5'], '--timeout goes with --for'],
  };
  it('which options are wrong, before it does anything', async () => {
    const [[args, told] = [[], '']] = Object.values(misuse);
    const listening = new Listening({ DATA_DIR: join(demo.folder, 'nothing') }, args);
    expect(await refused(listening)).to.include(told);
    expect(await listening.end()).to.equal(2);
  });

  for (const [what, [args, told]] of Object.entries(misuse))
    it(`what is wrong with ${what}`, () => {
      const { exitCode, message } = faultOf(() => readOptions(args));
      expect(message)
        .to.include(told)
        .and.include('--help')
        .and.not.match(/^ +at /m);
      expect(exitCode).to.equal(2);
    });

  it('that too few events arrived in time', async () => {
    const listening = demo.listen('--for', '1', '--timeout', '1', '--json');
    expect(await listening.end()).to.equal(1);
    const notes = listening.lines('note').map(({ text }: Line) => text);
    expect(notes).to.deep.equal(['Not enough came through within 1 s: 0 of 1.']);
  });
});

/** The program's output and exit code. */
function faultOf(read: () => unknown): ReturnType<typeof explain> {
  try {
    read();
  } catch (error) {
    return explain(error);
  }
  throw new Error('Nothing is wrong with it.');
}
