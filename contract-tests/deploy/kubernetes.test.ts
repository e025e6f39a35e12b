import { globSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import ipaddr from 'ipaddr.js';
import { parse, parseAllDocuments } from 'yaml';
import { databases } from '../../harness/database/dialect.ts';
import { NEVER_PUBLIC } from '../../harness/peers/address-vectors.ts';
import { expectStarts, ofImage, writtenInGuide } from './deployed.ts';

databases('sqlite');

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold: number;
}
interface Container {
  name: string;
  image: string;
  args: string[];
  ports?: { name: string; containerPort: number }[];
  env?: { name: string; value: string }[];
  envFrom: ({ configMapRef: { name: string } } | { secretRef: { name: string } })[];
  resources: { limits: { memory: string } };
  securityContext: object;
  volumeMounts: { mountPath: string }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}
interface Pod {
  securityContext: object;
  terminationGracePeriodSeconds?: number;
  containers: [Container];
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  data: Record<string, string>;
  spec: {
    replicas?: number;
    maxUnavailable?: number;
    ports?: { targetPort: string }[];
    policyTypes?: string[];
    egress?: { ports?: { port: number }[]; to?: { ipBlock: { cidr: string; except?: string[] } }[] }[];
    selector: { matchLabels?: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: Pod };
  };
}

const FOLDER = 'deploy/kubernetes';
const manifests: Manifest[] = globSync(`${FOLDER}/*.yaml`)
  .filter((file) => !file.endsWith('kustomization.yaml'))
  .flatMap((file) => parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS()));
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const programs = [...ofKind('Deployment'), ...ofKind('Job')];
const deployments = ofKind('Deployment').map(({ metadata, spec }) => ({
  name: metadata.name,
  spec,
  pod: spec.template.spec,
  container: spec.template.spec.containers[0],
}));

/** The environment of a live container, with the guide's secrets. */
function environmentOf({ env = [] }: Container): Record<string, string> {
  const [settings] = ofKind('ConfigMap');
  const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  return { ...ofImage, ...settings?.data, ...writtenInGuide('secrets.env'), ...own };
}

describe('the Kubernetes manifests', () => {
  it('contain a deployment of the API, one of the workers and a migration job, all of this version', () => {
    const started = programs.map(({ metadata, spec }) => [metadata.name, ...spec.template.spec.containers[0].args]);
    expect(started).to.have.deep.members([
      ['screening-api', 'bin/api.ts'],
      ['screening-worker', 'bin/worker.ts'],
      ['screening-migrate', 'bin/admin.ts', 'db', 'migrate'],
    ]);
    const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const { spec } of programs) expect(spec.template.spec.containers[0].image).to.equal(`screening:${version}`);
  });

  it('start each program with settings valid in live, and allow more time than a stop takes', async () => {
    for (const { spec } of programs) {
      const { containers, terminationGracePeriodSeconds: graceSeconds } = spec.template.spec;
      const [container] = containers;
      expect(container.envFrom).to.deep.equal([
        { configMapRef: { name: 'screening-settings' } },
        { secretRef: { name: 'screening-secrets' } },
      ]);
      const stop = graceSeconds === undefined ? {} : { graceSeconds };
      const config = await expectStarts({ args: container.args, env: environmentOf(container), ...stop });
      expect(config).to.deep.include({ mode: 'live', runWorkers: container.name !== 'api' });
      expect(config.documents.store.kind, 'pods share no folder').to.equal('bucket');
    }
  });

  it('run nothing as root, allow no writes outside volumes, and no new privileges', () => {
    for (const { spec } of programs) {
      const { securityContext, containers } = spec.template.spec;
      expect(securityContext).to.deep.include({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(containers[0].securityContext).to.deep.equal({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const mounted = containers[0].volumeMounts.map(({ mountPath }) => mountPath);
      expect(mounted.some((path) => ofImage['DATA_DIR']?.startsWith(`${path}/`))).to.equal(true);
    }
  });

  for (const { name, pod, container } of deployments)
    it(`probe ${name} on OPS_PORT, and notice a stop before it stops accepting`, async () => {
      const { operators, stop } = await expectStarts({ args: container.args, env: environmentOf(container) });
      expect(container.ports).to.deep.include({ name: 'operators', containerPort: operators?.port });
      const { startupProbe, livenessProbe, readinessProbe } = container;
      const paths = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet);
      expect(paths).to.deep.equal(['/livez', '/livez', '/readyz'].map((path) => ({ path, port: 'operators' })));
      const { periodSeconds = 0, timeoutSeconds = 0, failureThreshold = 0 } = readinessProbe ?? {};
      expect(periodSeconds * failureThreshold + timeoutSeconds + 1).to.be.at.most(stop.drainMs / 1000);
      expect(pod.terminationGracePeriodSeconds).to.be.above(stop.stopMs / 1000);
    });

  it('keep one pod of each running while nodes are drained, and reserve memory for documents', async () => {
    for (const { spec } of deployments) {
      expect(spec.replicas).to.equal(2);
      const { labels } = spec.template.metadata;
      expect(spec.selector.matchLabels).to.deep.equal(labels);
      const budget = ofKind('PodDisruptionBudget').find(
        ({ spec: { selector } }) => JSON.stringify(selector.matchLabels) === JSON.stringify(labels),
      );
      expect(budget?.spec.maxUnavailable).to.equal(1);
    }
    // An API process opens each upload as a worker does.
    for (const { container } of deployments) {
      const { forensics } = await expectStarts({ args: container.args, env: environmentOf(container) });
      const limitMib = Number.parseInt(container.resources.limits.memory, 10);
      expect(limitMib).to.be.at.least(forensics.parallel * forensics.memoryMib + 512);
    }
  });

  it('let pods reach public addresses, and no private or metadata address but on the ports of Postgres, names and the scanner', () => {
    const [policy] = ofKind('NetworkPolicy');
    const { egress = [], policyTypes } = policy?.spec ?? {};
    expect(policyTypes).to.deep.equal(['Ingress', 'Egress']);
    const blocks = egress.flatMap(({ to = [] }) => to.map(({ ipBlock }) => ipBlock));
    const isReached = (ip: string) => {
      const address = ipaddr.process(ip);
      const isIn = (cidr: string) => {
        const [network, prefix] = ipaddr.parseCIDR(cidr);
        return network.kind() === address.kind() && address.match(network, prefix);
      };
      return blocks.some(({ cidr, except = [] }) => isIn(cidr) && !except.some(isIn));
    };
    for (const ip of ['9.9.9.9', '2620:fe::fe']) expect(isReached(ip), ip).to.equal(true);
    const inside = ['private networks', 'link-local and shared address space', 'metadata services'] as const;
    for (const host of inside.flatMap((kind) => NEVER_PUBLIC[kind])) {
      const ip = host.replace(/^\[|\]$/g, '');
      expect(isReached(ip), ip).to.equal(false);
    }
    const ports = egress.filter(({ to }) => !to).flatMap((rule) => rule.ports?.map(({ port }) => port));
    expect(ports).to.deep.equal([53, 53, 5432, 3310]);
  });

  it('route callers only to the API’s port', () => {
    const [service] = ofKind('Service');
    expect(service?.spec.ports?.map(({ targetPort }) => targetPort)).to.deep.equal(['api']);
    const api = deployments.find(({ name }) => name === 'screening-api');
    expect(service?.spec.selector).to.deep.equal(api?.spec.template.metadata.labels);
    expect(api?.container.ports).to.deep.include({ name: 'api', containerPort: 3000 });
    const { resources }: { resources: string[] } = parse(readFileSync(`${FOLDER}/kustomization.yaml`, 'utf8'));
    expect(resources.toSorted()).to.deep.equal(['api.yaml', 'network.yaml', 'settings.yaml', 'worker.yaml']);
  });
});
