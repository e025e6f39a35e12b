import { expect } from 'chai';
import { traceIdIn } from '../../core/correlation.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { eventually } from '../../harness/process/signals.ts';
import { startLoggedService } from './logged-service.ts';

databases('either');

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('the trace of a caller (W3C traceparent)', () => {
  const logged = suiteFixture(() => startLoggedService());

  const linesOf = async (id: string, traceparent: string) => {
    const headers = { traceparent, 'X-Request-Id': id };
    await fetch(`${logged.service.url}/api/v1/property-management/workspaces`, { headers });
    const lines = () => logged.lines().filter(({ correlation_id }) => correlation_id === id);
    await eventually('the request is logged', () => lines().some(({ msg }) => msg === 'request'));
    return lines();
  };

  it('is in each log line of the request', async () => {
    const lines = await linesOf('traced', `00-${TRACE}-${SPAN}-01`);
    for (const line of lines) expect(line).to.include({ trace_id: TRACE });
  });

  it('is ignored when invalid, and does not reach the log', async () => {
    for (const line of await linesOf('untraced', `00-${'0'.repeat(32)}-${SPAN}-01`))
      expect(line).to.not.have.property('trace_id');
  });

  it('is parsed as the standard requires', () => {
    for (const valid of [`00-${TRACE}-${SPAN}-00`, `01-${TRACE}-${SPAN}-01-more`, `cc-${TRACE}-${SPAN}-01`])
      expect(traceIdIn(valid), valid).to.equal(TRACE);
    for (const invalid of [
      undefined,
      '',
      `ff-${TRACE}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-01-more`,
      `01-${TRACE}-${SPAN}-01more`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}`,
    ])
      expect(traceIdIn(invalid), invalid).to.equal(undefined);
  });
});
