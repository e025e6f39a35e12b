import { readFileSync } from 'node:fs';
import { rules } from '@tenant-screening/forensics/rules';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { buildSite } from '../../site/build.ts';

databases('none');

const text = readFileSync(new URL('../../docs/forensics.md', import.meta.url), 'utf8');

/** Each rule's name, title, strength and kind, and an innocent explanation for its finding. */
function documentedRules(): string[][] {
  const [, section = ''] = text.split('\n## The rules\n');
  const [own = ''] = section.split('\n## ');
  return own.split('\n### ').flatMap((part) => {
    const [, family = ''] = /^[^`\n]+: `(\w+)`\n/.exec(part) ?? [];
    const rows = family === '' ? [] : part.split('\n').filter((line) => line.startsWith('| `'));
    return rows.map((row) => {
      const [name = '', title = '', strength = '', reason = ''] = row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', ''));
      return [name, title, strength, family, reason];
    });
  });
}

describe('docs/forensics.md', () => {
  it('has a row for each rule with its strength, kind and title, and no other row', () => {
    const documented = documentedRules();
    const expected = rules.map(({ name, title, strength, family }) => [name, title, strength, family]);
    expect(documented.map((cells) => cells.slice(0, 4))).to.have.deep.members(expected);
    for (const [name, , , , reason] of documented) expect(reason, name).to.match(/^.{7,}\.$/);
  });

  it('is on the reference site, without the parts for developers', async () => {
    const page = (await buildSite()).files.get('forensics.html')?.content.toString() ?? '';
    expect(page).to.include('What it cannot see').and.include('revised-text');
    expect(page).to.not.match(/Add a rule|examine\.ts/);
    expect(text).to.include('\n## For developers\n');
  });
});
