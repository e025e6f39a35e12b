/**
 * `npm run --silent sbom`: the bill of materials of a production install, from the lock file, as CycloneDX 1.6. `npm sbom` leaves out what the
 * packages of this repository depend on.
 */
import { readFileSync } from 'node:fs';
import { commandLine } from '../harness/process/command-line.ts';

interface Locked {
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  link?: boolean;
  optional?: boolean;
}

commandLine('npm run --silent sbom > sbom.cdx.json', {});
const read = (file: string) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
const { name, version }: { name: string; version: string } = read('package.json');
const { packages }: { packages: Record<string, Locked> } = read('package-lock.json');

const components = Object.entries(packages).flatMap(([path, locked]) => {
  const [, own] = /.*node_modules\/(.+)$/.exec(path) ?? [];
  return own === undefined || locked.dev || locked.link ? [] : [componentOf(path, own, locked)];
});

function componentOf(path: string, own: string, { version = '', license, integrity, optional }: Locked) {
  const [algorithm, digest] = integrity?.split('-', 2) ?? [];
  return {
    type: 'library',
    'bom-ref': path,
    name: own,
    version,
    // Optional ones are for other platforms.
    scope: optional ? 'optional' : 'required',
    purl: `pkg:npm/${own.replace('@', '%40')}@${version}`,
    ...(license ? { licenses: [{ expression: license }] } : {}),
    ...(algorithm === 'sha512' && digest
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
  };
}

const metadata = { component: { type: 'application', 'bom-ref': name, name, version } };
console.log(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata, components }, null, 2));
