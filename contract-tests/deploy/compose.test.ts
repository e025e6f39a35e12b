import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { type Deployed, expectStarts, ofImage } from './deployed.ts';

databases('sqlite');

interface Service {
  image: string;
  command: string[];
  environment: Record<string, string>;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period: string;
  deploy?: { replicas: number };
  healthcheck?: { test: string[] };
  ports?: string[];
}
interface Compose {
  services: Record<string, Service>;
  networks: { default: { ipam: { config: { subnet: string }[] } } };
}

/** Expands `${NAME:-default}` as compose does when the environment does not define the name. */
const text = readFileSync('deploy/compose.yaml', 'utf8').replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
const compose: Compose = parse(text, { merge: true });

describe('the compose file', () => {
  const folder = suiteFixture(temporaryFolder);
  const named = (name: string): Service => compose.services[name] ?? expect.fail(`no service ${name}`);
  const deployed = (name: string): Deployed => {
    const { command, environment, stop_grace_period } = named(name);
    return {
      args: command,
      env: { ...ofImage, ...environment, DATA_DIR: folder.path },
      graceSeconds: Number.parseInt(stop_grace_period, 10),
    };
  };

  it('has Postgres, a migration, an API without workers, two workers and a receiver', async () => {
    expect(Object.keys(compose.services)).to.have.members(['postgres', 'migrate', 'api', 'worker', 'receiver']);
    for (const name of ['migrate', 'api', 'worker'])
      expect((await expectStarts(deployed(name))).database.dialect).to.equal('postgres');
    expect(named('migrate').command).to.deep.equal(['bin/admin.ts', 'db', 'migrate']);
    expect((await expectStarts(deployed('api'))).runWorkers).to.equal(false);
    expect(named('worker').command).to.deep.equal(['bin/worker.ts']);
    expect(named('worker').deploy?.replicas).to.equal(2);
  });

  it('starts every program of the service read-only and without capabilities', () => {
    for (const [name, service] of Object.entries(compose.services))
      if (name !== 'postgres')
        expect(service, name).to.deep.include({
          read_only: true,
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
        });
  });

  it('checks readiness where it is served, and publishes only the callers’ port', async () => {
    const { operators, port } = await expectStarts(deployed('api'));
    for (const name of ['api', 'worker'])
      expect(named(name).healthcheck?.test.join(' ')).to.include(`http://127.0.0.1:${operators?.port}/readyz`);
    const published = Object.values(compose.services).flatMap(({ ports = [] }) => ports);
    expect(published).to.deep.equal([`127.0.0.1:3000:${port}`]);
  });

  it('lets the workers reach the receiver on its own network', async () => {
    const { addresses } = await expectStarts(deployed('worker'));
    const [{ subnet } = { subnet: '' }] = compose.networks.default.ipam.config;
    expect(addresses.allow?.map(([network, length]) => `${network}/${length}`)).to.deep.equal([subnet]);
    expect(named('receiver').command).to.deep.equal(['examples/webhook-receiver.ts']);
    const receiver = readFileSync('examples/webhook-receiver.ts', 'utf8');
    for (const name of Object.keys(named('receiver').environment)) expect(receiver).to.include(name);
  });
});
