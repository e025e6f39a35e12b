import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Document } from '@tenant-screening/forensics/model';
import { OUTCOMES, STRENGTHS } from '@tenant-screening/forensics/report/wording';
import type { Rule } from '@tenant-screening/forensics/rule';
import { rules } from '@tenant-screening/forensics/rules';
import { expect } from 'chai';
import { buildSite } from '../../site/build.ts';

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
  it('has a row for each rule, with its strength, kind and title, and none for a rule that is not there', () => {
    const documented = documentedRules();
    const expected = rules.map(({ name, title, strength, family }) => [name, title, strength, family]);
    expect(documented.map((cells) => cells.slice(0, 4))).to.have.deep.members(expected);
    for (const [name, , , , reason] of documented) expect(reason, name).to.match(/^.{7,}\.$/);
  });

  it('explains outcomes and strengths in the words of the report', () => {
    const flat = text.replace(/\s+/g, ' ');
    for (const { means } of Object.values(OUTCOMES)) expect(flat).to.include(means.replace(/\.$/, ''));
    for (const means of Object.values(STRENGTHS)) expect(flat).to.include(means.split('. ')[0]?.replace(/\.$/, ''));
  });

  it('is on the reference site as far as it is for readers, without what is for developers', async () => {
    const page = (await buildSite()).files.get('forensics.html')?.content.toString() ?? '';
    expect(page).to.include('What it cannot see').and.include('revised-text');
    expect(page).to.not.match(/Add a rule|examine\.ts/);
    expect(text).to.include('\n## For developers\n');
  });

  it('shows a rule that works', async () => {
    const [, code = ''] = /```ts\n(.*?)\n```/s.exec(text) ?? [];
    const folder = await mkdtemp(join(tmpdir(), 'screening-rule-'));
    const file = join(folder, 'trailing-bytes.ts');
    await writeFile(
      file,
      code.replaceAll("'../rule.ts'", `'${new URL('../../packages/forensics/rule.ts', import.meta.url)}'`),
    );
    const { trailingBytes }: { trailingBytes: Rule } = await import(file);
    await rm(folder, { recursive: true });
    const run = (content: string) => trailingBytes.run(pdfOf(content));
    expect(run('%PDF-1.7 %%EOF\r\n')).to.deep.equal({ status: 'passed' });
    expect(run('%PDF-1.7')).to.include({ status: 'not_applicable' });
    expect(run('%PDF-1.7 %%EOF more')).to.deep.equal({
      status: 'finding',
      findings: [
        {
          message: '5 bytes stand after the end of the file, where no program shows them.',
          evidence: [{ offset: 14, length: 5 }],
        },
      ],
    });
    expect(
      rules.map(({ name }) => name),
      'an example only',
    ).to.not.include(trailingBytes.name);
  });
});

function pdfOf(content: string): Document {
  const none = () => Promise.reject(new Error('Nobody asks for it.'));
  return { name: 'a.pdf', kind: 'pdf', bytes: Buffer.from(content), pages: none, pagesRead: none, pixels: none };
}
