import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { findingsIn, habits } from '../../scripts/prose/habits.ts';

databases('none');

/** A phrase that reads as translated, and its rewrite. */
const SENTENCES: [string, string][] = [
  ['Whoever has the link may answer.', 'The holder of the link may answer.'],
  ['Nobody else sees it.', 'No other key sees it.'],
  ['The caller is told why.', 'The caller learns why, and can tell both apart.'],
  ['Its webhooks hear of nothing more.', 'Its webhooks get nothing further.'],
  ['The page continues by itself.', 'The page continues automatically.'],
  ['All are served but for one.', 'All are served except one.'],
  ['The schedule begins anew.', 'The schedule starts again.'],
  ['Send it to a URL of yours.', 'Send it to your URL.'],
  ['It is not stored, and neither is the key.', 'It is not stored, nor is the key.'],
  ['It is kept for ever.', 'It is kept forever.'],
  ['It waits in vain.', 'It waits without success.'],
  ['Revoking twice is no mistake.', 'Revoking is idempotent.'],
  ['Everybody may read it.', 'Every caller may read it.'],
  ['The next process goes on there.', 'The next process resumes there.'],
  ['The body is looked at later.', 'The body is checked later.'],
  ['What fails is tried again.', 'A failure is retried.'],
  ['It puts off what has no room.', 'It postpones what has no room.'],
  ['It refuses an address that is none.', 'It refuses an invalid address.'],
  ['It shows what became of each.', 'It shows the outcome of each.'],
  ['It signs the very bytes.', 'It signs the exact bytes, the very same ones.'],
  ['It waits for at most so many rows.', 'It waits for at most this many rows.'],
  ['Only the digest tells whether it changed.', 'Only the digest shows whether it changed.'],
  ['Pages are given out by the service.', 'Pages are served by the service.'],
  ['The text is kept to the letter.', 'The text is kept verbatim.'],
  ['Lists begin with the newest first.', 'Lists are sorted newest first.'],
  ['The forgetting of events takes long.', 'The retention of events takes long.'],
  ['/** Of the first block, in pixels. */', '/** The offset of the first block, in pixels. */'],
  [
    'It is slow. Of a read on SQLite, the socket takes most.',
    'It is slow. A SQLite read spends most on the socket. Of its digits.',
  ],
];

describe('npm run prose', () => {
  it('finds every habit of its list, and nothing in sentences without one', () => {
    const found = new Set(SENTENCES.flatMap(([habit]) => findingsIn(habit).map(({ instead }) => instead)));
    expect(found).to.have.keys(habits.map(({ instead }) => instead));
    for (const [habit, native] of SENTENCES) {
      expect(findingsIn(habit), habit).to.have.lengthOf(1);
      expect(findingsIn(native), native).to.deep.equal([]);
    }
  });

  it('leaves names, addresses and values alone', () => {
    for (const data of [
      "email: 'nobody'",
      'nobody@mail.example',
      '/invitation/nobody-has-this',
      'const NOBODY = 65_534;',
    ])
      expect(findingsIn(data), data).to.deep.equal([]);
  });

  it('reports file, line, phrase and what to write instead, and exits with 1', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'screening-prose-'));
    try {
      const file = join(folder, 'page.md');
      await writeFile(file, '# Keys\n\nIt ends by itself.\n');
      const run = promisify(execFile)(process.execPath, ['scripts/prose/prose.ts', file]);
      const { code, stderr } = await run.catch((error) => error);
      expect(code).to.equal(1);
      expect(stderr).to.equal(`${file}:3: "by itself": automatically, on its own, alone\n`);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
