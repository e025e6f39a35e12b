import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { startServiceProcess } from '../../harness/process/process.ts';
import { eventually } from '../../harness/process/signals.ts';
import { Admin } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';

databases('either', 'nightly');

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACING = new URL('../../examples/tracing/tracing.ts', import.meta.url).href;
const PRIVATE = 'private.person';

describe('OpenTelemetry, loaded with --import', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const received: { path: string | undefined; body: string }[] = [];
  const collector = createServer(async (req, res) => {
    received.push({ path: req.url, body: JSON.stringify(await json(req)) });
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  before(async () => {
    await once(collector.listen(0, '127.0.0.1'), 'listening');
  });
  after(() => collector.close());

  it('compiles strictly', () => {
    execFileSync(process.execPath, ['node_modules/typescript-7/bin/tsc', '-p', 'examples/tracing']);
  });

  it('sends a request’s trace to a collector, with the caller’s trace id and without the path', async () => {
    const address = collector.address();
    const port = typeof address === 'object' && address !== null ? address.port : expect.fail();
    const service = await startServiceProcess({
      ...new Admin(test).env,
      RUN_WORKERS: 'false',
      NODE_OPTIONS: `--import=${TRACING}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_SERVICE_NAME: 'screening',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
    try {
      const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
      await fetch(`${service.url}/api/v1/applications/1/participants/${PRIVATE}?of=${PRIVATE}`, { headers });
      const { path, body } = await eventually('the trace arrived', () =>
        received.find((sent) => sent.body.includes(TRACE)),
      );
      expect(path).to.equal('/v1/traces');
      expect(body).to.include('"screening"');
      expect(received.map((sent) => sent.body).join()).to.not.include(PRIVATE);
    } finally {
      await service.stop();
    }
  });
});
