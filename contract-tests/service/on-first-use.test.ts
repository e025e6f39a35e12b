import { expect } from 'chai';
import { onFirstUse } from '../../bin/service/on-first-use.ts';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

describe('a resource opened on first use', () => {
  let opened: number;
  let ended: number;
  const part = (open: () => Promise<string> = async () => `open ${++opened}`) =>
    onFirstUse(open, async () => {
      ended++;
    });
  beforeEach(() => {
    [opened, ended] = [0, 0];
  });

  it('is opened once, by the first caller, and closed', async () => {
    const { use, close } = part();
    expect(opened).to.equal(0);
    expect(await Promise.all([use(), use()])).to.deep.equal(['open 1', 'open 1']);
    await close();
    expect([opened, ended]).to.deep.equal([1, 1]);
  });

  it('is neither opened nor closed when unused', async () => {
    await part().close();
    expect([opened, ended]).to.deep.equal([0, 0]);
  });

  it('is opened again by the next caller after a failure', async () => {
    let isAway = true;
    const { use, close } = part(async () => {
      if (isAway) throw new Error('away');
      return 'open';
    });
    expect(await use().catch(String)).to.equal('Error: away');
    isAway = false;
    expect(await use()).to.equal('open');
    await close();
    expect(ended).to.equal(1);
  });

  it('is closed once when closed while opening', async () => {
    const { use, close } = part();
    const using = use();
    await close();
    expect(await using).to.equal('open 1');
    expect(ended).to.equal(1);
  });

  it('is closed immediately when first used after closing, so that nothing stays open', async () => {
    const { use, close } = part();
    await close();
    expect(await use()).to.equal('open 1');
    expect(ended).to.equal(1);
  });
});
