import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { expect } from 'chai';
import type { Document } from '../../forensics/model.ts';
import { OUTCOMES, STRENGTHS } from '../../forensics/report/words.ts';
import type { Rule } from '../../forensics/rule.ts';
import { rules } from '../../forensics/rules/index.ts';
import { buildSite } from '../../site/build.ts';

const text = readFileSync(new URL('../../docs/forensics.md', import.meta.url), 'utf8');

/** The cells of the rows below a heading of the third level. */
function rowsUnder(heading: string): string[][] {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const rows = own.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('docs/forensics.md', () => {
  it('has a row for each rule, with its strength, kind and title, and none for a rule that is not there', () => {
    const documented = rowsUnder('The rules').filter((cells) => cells.length > 2);
    const expected = rules.map(({ name, strength, family, title }) => [
      `\`${name}\``,
      title,
      `\`${strength}\``,
      `\`${family}\``,
    ]);
    expect(documented.map((cells) => cells.slice(0, 4))).to.have.deep.members(expected);
    for (const cells of documented) expect(cells[4], cells[0]).to.match(/^.{15,}$/);
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
    const imports = code.replaceAll(
      "'../rule.ts'",
      JSON.stringify(new URL('../../forensics/rule.ts', import.meta.url)),
    );
    const source = `data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(imports))}`;
    const { trailingBytes }: { trailingBytes: Rule } = await import(source);
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
