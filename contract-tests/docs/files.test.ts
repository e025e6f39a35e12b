import { readFile } from 'node:fs/promises';
import { expect } from 'chai';

describe('the files at the root', () => {
  it('have a LICENSE that agrees with every package.json', async () => {
    const license = await readFile('LICENSE', 'utf8');
    for (const folder of ['', 'packages/forensics/', 'packages/forensics-corpus/'])
      expect(license).to.include(JSON.parse(await readFile(`${folder}package.json`, 'utf8')).license);
  });

  it('have a SECURITY.md whose links lead to headings that exist', async () => {
    const links = [...(await readFile('SECURITY.md', 'utf8')).matchAll(/\]\(([\w./-]+)(?:#([\w-]+))?\)/g)];
    expect(links).to.have.lengthOf.at.least(4);
    for (const [, file = '', anchor] of links) {
      const headings = [...(await readFile(file, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
        title.toLowerCase().replaceAll(' ', '-'),
      );
      if (anchor) expect(headings, file).to.include(anchor);
    }
  });
});
