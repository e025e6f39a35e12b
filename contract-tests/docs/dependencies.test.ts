import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

interface Installed {
  version?: string;
  license?: string;
  resolved?: string;
  integrity?: string;
  dev?: boolean;
  link?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
}
interface Manifest {
  dependencies?: Record<string, string>;
  allowScripts: Record<string, boolean>;
}

const read = (file: string) => readFileSync(file, 'utf8');
const manifest = (folder: string): Manifest => JSON.parse(read(`${folder}/package.json`));
const page = read('docs/dependencies.md');
const { packages }: { packages: Record<string, Installed> } = JSON.parse(read('package-lock.json'));
const [, licences = ''] = /^## Licences$([\s\S]*?)^## /m.exec(page) ?? [];
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');
/** Packages from the registry. */
const foreign = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

describe('the page about dependencies', () => {
  const rows = [...page.matchAll(/^\| `([^`]+)` \| (.+) \| (.+) \| (.+) \|$/gm)].map(([, ...cells]) => cells);

  it('says of each direct production dependency what it is for, its licence, and what replacing it costs', () => {
    const direct = ['.', 'packages/forensics', 'packages/webhook-tools'].flatMap((folder) =>
      Object.keys(manifest(folder).dependencies ?? {}),
    );
    const named = [...new Set(direct)].filter((name) => !name.startsWith('@tenant-screening/'));
    expect(rows.map(([name]) => name)).to.have.members(named);
    for (const [name = '', , licence] of rows) {
      const entry = foreign.find(([path]) => nameOf(path) === name)?.[1];
      expect(entry?.license, name).to.equal(licence);
    }
  });

  it('names every licence of the production tree', () => {
    for (const [path, { license, dev }] of foreign) {
      if (dev) continue;
      const known = (license ?? '')
        .split(/ (?:OR|or) /)
        .some((choice) => choice.split(' AND ').every((one) => licences.includes(one.replace(/[()]/g, ''))));
      expect(known || nameOf(path) === 'png-js', `${path}: ${license}`).to.equal(true);
    }
  });
});

describe('the supply chain', () => {
  it('has every package from the npm registry, and its digest', () => {
    for (const [path, { resolved, integrity, inBundle }] of foreign) {
      // The lock file omits the registry's own address.
      expect(resolved, path).to.equal(undefined);
      // A bundle is a part of the package that it is in.
      if (!inBundle) expect(integrity, path).to.match(/^sha512-/);
    }
  });

  it('decides about every package that has a script for its installation', () => {
    const { allowScripts } = manifest('.');
    const scripted = foreign.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
    expect([...new Set(scripted)].filter((name) => allowScripts[name] === undefined)).to.deep.equal([]);
  });

  it('has a bill of materials of a production install: every package, its licence and its digest', () => {
    const bill: { bomFormat: string; components: { name: string; version: string; hashes?: object[] }[] } = JSON.parse(
      execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
    );
    expect(bill.bomFormat).to.equal('CycloneDX');
    const production = foreign.filter(([, { dev }]) => !dev);
    const listed = production.map(([path, { version }]) => `${nameOf(path)}@${version}`);
    expect(bill.components.map(({ name, version }) => `${name}@${version}`)).to.have.members(listed);
    for (const { name, hashes } of bill.components) expect(hashes, name).to.have.length(1);
    for (const name of ['@hyzyla/pdfium', 'pg']) expect(bill.components.map((one) => one.name)).to.include(name);
  });

  it('writes it in CI, which also looks for known vulnerabilities', () => {
    expect(read('.ci/run')).to.include('npm run --silent sbom >');
    expect(read('.ci/audit')).to.match(/^npm audit --omit=dev --audit-level=high/m);
  });
});
