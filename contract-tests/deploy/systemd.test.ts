import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { expectStarts, writtenInGuide } from './deployed.ts';

databases('sqlite');

const FOLDER = '/srv/screening';
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The values of a unit file, by name; no name occurs twice. */
function unit(name: string, instance: string): Record<string, string> {
  const lines = readFileSync(`deploy/systemd/${name}`, 'utf8').replaceAll('%i', instance);
  return Object.fromEntries([...lines.matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]));
}

describe('the systemd units', () => {
  for (const [name, instance, script, port] of [
    ['screening-api.service', '', 'start', 9090],
    ['screening-worker@.service', '2', 'worker', 9092],
  ] as const) {
    const service = unit(name, instance);

    it(`${name} starts the same command as npm, as its own user`, async () => {
      expect(service['ExecStart']).to.equal(
        scripts[script]?.replace(/^exec node/, `${FOLDER}/node_modules/.bin/node`) ?? expect.fail(script),
      );
      expect(service).to.deep.include({ WorkingDirectory: FOLDER, User: 'screening', NoNewPrivileges: 'yes' });
      const [setting = '', value = ''] = service['Environment']?.split('=') ?? [];
      const env = { ...unquoted(writtenInGuide('.env')), [setting]: value };
      const config = await expectStarts({
        args: [service['ExecStart']?.split(' ').at(-1) ?? ''],
        env,
        graceSeconds: Number(service['TimeoutStopSec']),
      });
      expect(config.operators?.port).to.equal(port);
    });

    it(`${name} writes only to the data and Node’s compile cache`, () => {
      expect(service).to.deep.include({
        ProtectSystem: 'strict',
        ReadWritePaths: `${FOLDER}/data ${FOLDER}/node_modules/.cache`,
      });
    });

    it(`${name} allows what analyses need: compiled code, and a namespace without network`, () => {
      expect(service).to.not.have.property('MemoryDenyWriteExecute');
      expect(service['RestrictNamespaces']).to.equal('user net');
    });
  }
});

function unquoted(settings: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value.replace(/^'(.*)'$/, '$1')]));
}
