import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

const PROGRAM = fileURLToPath(new URL('./closed-connections.ts', import.meta.url));

interface Printed {
  connections: number;
  left: Record<string, { statuses: number[]; signals: number }>;
}

/** Years of deliveries open millions of connections. */
describe('a connection that has been closed', () => {
  it('leaves no signal behind, neither one to a webhook nor one to a provider', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM]);
    const { connections, left }: Printed = JSON.parse(stdout);
    expect(Object.keys(left)).to.deep.equal(['to a webhook', 'to a provider']);
    for (const [way, { statuses, signals }] of Object.entries(left)) {
      expect(statuses, way).to.deep.equal([200]);
      expect(signals, way).to.be.below(connections / 2);
    }
  });
});
