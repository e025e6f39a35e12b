import { expect } from 'chai';
import { createForensicEngine } from '../../analyse.ts';
import type { ForensicEngine, SubmittedDocument } from '../../analysis.ts';
import { confusing, endless, refused } from '../fixtures/bombs.ts';
import { pdfOf, stream, text } from '../fixtures/pdf.ts';

const MIB = 1024 * 1024;
/** Processor time, so that other load on the machine does not matter. */
const SECONDS = 2;

function submitted(bytes: Uint8Array): SubmittedDocument {
  return {
    id: 'one',
    name: 'one.pdf',
    async *read() {
      yield bytes;
    },
  };
}

const letter = () => submitted(pdfOf([text(50, 50, 'A letter'), text(50, 50, 'Its second page')]));

/** Draws a page for later viewers of a result, without the preceding analysis, which would have refused the file. */
describe('drawing the pages of a document', () => {
  let engine: ForensicEngine;
  const begin = (settings: { secondsADocument: number; memoryMib: number }) => {
    engine = createForensicEngine({ ...settings, parallel: 1 });
  };
  afterEach(() => engine.close());
  const drawn = async (document: SubmittedDocument, pages: number[]) =>
    (await engine.draw(document, pages)).map(({ page }) => page);

  it('draws the requested pages that exist, each document in a sandbox', async () => {
    begin({ secondsADocument: 30, memoryMib: 1024 });
    expect(await drawn(letter(), [1, 2])).to.deep.equal([1, 2]);
    expect(await drawn(letter(), [2, 9])).to.deep.equal([2]);
  });

  it('draws nothing of a file that harms its reader, and draws the next', async () => {
    begin({ secondsADocument: 30, memoryMib: 1024 });
    for (const [name, { bytes }] of Object.entries(refused))
      expect(await drawn(submitted(bytes()), [1]), name).to.deep.equal([]);
    expect(await drawn(letter(), [1])).to.deep.equal([1]);
  });

  it('draws many documents of a person without a warning of listeners that pile up', async () => {
    begin({ secondsADocument: 30, memoryMib: 1024 });
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on('warning', note);
    const drawer = await engine.drawer();
    for (let number = 0; number < 12; number += 1) expect(await drawer.draw(letter(), [1])).to.have.length(1);
    drawer.close();
    process.off('warning', note);
    expect(warnings).to.deep.equal([]);
  });

  it('draws the next document of a person after one that its process did not survive', async () => {
    begin({ secondsADocument: SECONDS, memoryMib: 1024 });
    const drawer = await engine.drawer();
    const pages: number[] = [];
    for (const document of [letter(), submitted(endless()), letter()])
      pages.push((await drawer.draw(document, [1])).length);
    drawer.close();
    expect(pages).to.deep.equal([1, 0, 1]);
  });

  it('ends with a file that confuses its reader', async () => {
    begin({ secondsADocument: 30, memoryMib: 1024 });
    for (const [name, bytes] of Object.entries(confusing))
      expect((await drawn(submitted(bytes()), [1])).length, name).to.be.at.most(1);
  });

  it('ends after its processor time with a file that paints without end, and draws the next', async () => {
    begin({ secondsADocument: SECONDS, memoryMib: 1024 });
    expect(await drawn(submitted(endless()), [1])).to.deep.equal([]);
    expect(await drawn(letter(), [1])).to.deep.equal([1]);
  });

  it('ends at its limit of memory, and draws the next', async () => {
    begin({ secondsADocument: 30, memoryMib: 256 });
    const large = pdfOf([text(50, 50, 'A letter')], { 70: stream(' '.repeat(120 * MIB)) });
    expect(await drawn(submitted(large), [1])).to.deep.equal([]);
    expect(await drawn(letter(), [1])).to.deep.equal([1]);
  });
});
