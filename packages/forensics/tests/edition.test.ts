import { expect } from 'chai';
import { createForensicEngine } from '../analyse.ts';
import { rules } from '../rules/index.ts';

describe('the edition of the engine', () => {
  const editionOf = (settings: Parameters<typeof createForensicEngine>[0]) => createForensicEngine(settings).edition();

  it('names the engine, every rule with its version, and the settings that bear on results', async () => {
    const text = await editionOf({ secondsADocument: 20, memoryMib: 512, ocr: false });
    expect(text).to.match(/^tenant-screening-forensics@\d/);
    for (const { name, version } of rules) expect(text.split(' ')).to.include(`${name}@${version}`);
    expect(text).to.match(/ ocr=false seconds=20 mib=512$/);
  });

  it('is the same for equal settings, however many documents are analysed concurrently', async () => {
    const settings = { secondsADocument: 20, memoryMib: 512 };
    const text = await editionOf(settings);
    expect(await editionOf({ ...settings, parallel: 7 })).to.equal(text);
    for (const other of [{ secondsADocument: 21 }, { memoryMib: 513 }, { ocr: false }])
      expect(await editionOf({ ...settings, ...other })).to.not.equal(text);
  });
});
