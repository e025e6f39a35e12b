import { getPriority } from 'node:os';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { drawInThread } from '../../jobs/reports/drawing-thread.ts';
import { longReport } from './long-report.ts';

databases('none');

/** Drawn in the thread of the requests, a report leaves room for fewer rounds. */
const MIN_ROUNDS = 100;

describe('the drawing of a report', () => {
  const copy = { id: 'a number', viewer: 'Ana Ruiz', verifyUrl: 'https://screening.example/report/verify' };

  it('keeps no request waiting: the event loop goes round meanwhile', async () => {
    const content = await longReport();
    let [rounds, isDone] = [0, false];
    const goRound = () => {
      rounds++;
      if (!isDone) setImmediate(goRound);
    };
    setImmediate(goRound);
    const priority = getPriority();
    const { file, pages } = await drawInThread({ language: 'de', content, copy });
    isDone = true;
    expect(pages).to.be.at.least(50);
    expect(Buffer.from(file.subarray(0, 5)).toString()).to.equal('%PDF-');
    expect(rounds).to.be.at.least(MIN_ROUNDS);
    expect(getPriority(), 'the priority of the thread of the requests').to.equal(priority);
  });

  it('says why it failed, and draws the reports behind', async () => {
    const content = await longReport();
    const broken = { ...content, logo: { png: 'bm8gcGljdHVyZQ==', width: 10, height: 10 } };
    const [failed, drawn] = await Promise.allSettled([
      drawInThread({ language: 'de', content: broken, copy }),
      drawInThread({ language: 'de', content, copy }),
    ]);
    expect(failed.status === 'rejected' && String(failed.reason)).to.match(/image/i);
    expect(drawn.status).to.equal('fulfilled');
  });
});
