import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import type { RequestHandler } from 'express';
import { findOnboardingLink } from '../../db/applications/onboarding-links.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually, signal } from '../../harness/process/signals.ts';
import { useService } from '../../harness/service/service.ts';
import { admission } from '../../http/edge/admission.ts';
import { createEdgeApp } from '../../http/edge/edge-app.ts';
import { readForm } from '../../http/edge/form.ts';

databases('either');

/** What a connection serves at once, in one write, and more than begin before the event loop goes round. */
const REQUESTS = 60;
const BODY = 'a=b';
const HEAD = [
  'POST / HTTP/1.1',
  'Host: api',
  'Content-Type: application/x-www-form-urlencoded',
  `Content-Length: ${BODY.length}`,
  '',
];
/** How many requests of one address and path. */
const MAX_IN_A_ROUND = 1;
/** What an async handler awaits, none of it outside the process. */
const STEPS = 20;

describe('requests of a party whose answers to a wait arrive together', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  let server: Server | undefined;
  afterEach(() => server?.close());

  /** @returns how many requests continued in each round of the event loop */
  async function continuedInRounds(wait: RequestHandler, request = [...HEAD, BODY]): Promise<number[]> {
    const { log } = test.service.runtime;
    const app = createEdgeApp(admission({ log, trustedProxies: [] }));
    let continued = 0;
    const rounds: number[] = [];
    const goRound = () => {
      if (continued > 0) rounds.push(continued);
      continued = 0;
      if (rounds.reduce((sum, one) => sum + one, 0) < REQUESTS) setImmediate(goRound);
    };
    app.use((_req, res, next) => {
      res.once('prefinish', () => continued++);
      next();
    });
    app.use(wait, (_req, res) => {
      res.end();
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    setImmediate(goRound);
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    let text = '';
    socket.on('data', (part: string) => {
      text += part;
      signal();
    });
    socket.write(request.join('\r\n').repeat(REQUESTS));
    await eventually('all are answered', () => text.split('HTTP/1.1 200 ').length === REQUESTS + 1);
    socket.destroy();
    return rounds;
  }

  it('continue one after the other with their bodies', async () => {
    expect(Math.max(...(await continuedInRounds(readForm)))).to.equal(MAX_IN_A_ROUND);
  });

  it('continue one after the other when they shared a look-up', async () => {
    const rounds = await continuedInRounds((_req, _res, next) => {
      findOnboardingLink(test.service.runtime.db, 'none').then(() => next(), next);
    });
    expect(Math.max(...rounds)).to.equal(MAX_IN_A_ROUND);
  });

  it('are answered one after the other where no answer needs a wait', async () => {
    const rounds = await continuedInRounds(
      async (_req, _res, next) => {
        for (let steps = 0; steps < STEPS; steps++) await undefined;
        next();
      },
      ['GET / HTTP/1.1', 'Host: api', '', ''],
    );
    expect(Math.max(...rounds)).to.equal(MAX_IN_A_ROUND);
  });
});
