import { openDocument } from '@tenant-screening/forensics/open-document';
import { papersIn } from '@tenant-screening/forensics/papers';
import { expect } from 'chai';
import { drawStatement, statementLayouts } from '../layouts/statements.ts';
import { byHand } from '../producers/by-hand.ts';
import { randomOf } from '../random.ts';
import { applicantOf } from '../sets/applicant.ts';

const TAGS = ['de', 'en-GB', 'fr', 'es', 'it'] as const;

describe('a bank statement in five languages', () => {
  for (const layout of statementLayouts)
    it(`gives its balances in the layout ${layout}, of the first of several accounts`, async () => {
      const [read, wanted]: unknown[][] = [[], []];
      for (const tag of TAGS) {
        const random = randomOf('statements', tag, layout);
        const [statement] = applicantOf(tag, 'plain', random).statements;
        if (statement === undefined) throw new Error('The applicant has no statement.');
        const bytes = await byHand.write(drawStatement(statement, layout, random), statement.to, random);
        const { document } = await openDocument(`${tag}.pdf`, bytes);
        const papers = document ? await papersIn(document) : [];
        const value = (kind: string) => papers[0]?.claims.find((claim) => claim.kind === kind)?.value;
        read?.push([tag, papers.map(({ kind }) => kind), value('opening'), value('closing')]);
        wanted?.push([tag, ['statement'], String(statement.opening), String(statement.closing)]);
      }
      expect(read).to.deep.equal(wanted);
    });

  // The layout `accounts` has rows of another account, too.
  for (const layout of statementLayouts.filter((one) => one !== 'accounts'))
    it(`gives each credit with the day of its row in the layout ${layout}`, async () => {
      const missing: string[] = [];
      for (const tag of TAGS)
        for (const seed of ['a', 'b', 'c']) {
          const random = randomOf('credits', tag, layout, seed);
          const [statement] = applicantOf(tag, 'joint-account', random).statements;
          if (statement === undefined) throw new Error('The applicant has no statement.');
          const bytes = await byHand.write(drawStatement(statement, layout, random), statement.to, random);
          const { document } = await openDocument(`${tag}.pdf`, bytes);
          const papers = document ? await papersIn(document) : [];
          const days = new Set(
            statement.movements.flatMap(({ date, valueDate }) =>
              [date, valueDate].map((at) => at.toISOString().slice(0, 10)),
            ),
          );
          for (const { claims } of papers)
            for (const { kind, day = '', words = '' } of claims)
              if (kind === 'credit' && !days.has(day)) missing.push(`${tag} ${seed}: ${day} ${words}`);
        }
      expect(missing).to.deep.equal([]);
    });
});
