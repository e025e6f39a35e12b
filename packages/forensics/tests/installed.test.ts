import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pdfOf, text } from '@tenant-screening/forensics-corpus/fixtures/pdf-fixtures.ts';
import { expect } from 'chai';
import { encodePng } from '../encode-png.ts';

const WHAT_IT_NEEDS = ['packages/forensics', 'package.json', 'package-lock.json'];

describe('the forensic engine', () => {
  it('works in a folder with a blank in its name, and with packages that are installed elsewhere', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'screening service '));
    for (const name of WHAT_IT_NEEDS) await cp(name, join(folder, name), { recursive: true, preserveTimestamps: true });
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    const there = pathToFileURL(join(folder, 'packages/forensics/analyse.ts')).href;
    const { createForensicEngine }: typeof import('../analyse.ts') = await import(there);
    const engine = createForensicEngine({ secondsADocument: 30, memoryMib: 1024, parallel: 1 });
    const submitted = (id: string, bytes: Uint8Array) => ({
      id,
      name: id,
      async *read() {
        yield bytes;
      },
    });
    const { documents } = await engine.analyse([
      submitted('letter', pdfOf([text(50, 50, 'A letter')])),
      submitted('picture', encodePng({ width: 600, height: 600, data: new Uint8Array(1_080_000) })),
    ]);
    await engine.close();
    await rm(folder, { recursive: true });
    expect(documents.map(({ outcome }) => outcome)).to.deep.equal(['no_finding', 'no_finding']);
  });
});
