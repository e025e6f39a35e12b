import { expect } from 'chai';
import { createForensicEngine } from '../analyse.ts';
import type { Fingerprint, Sighting } from '../analysis.ts';
import { fingerprintsOf } from '../fingerprints.ts';
import { openDocument } from '../open-document.ts';
import { verdictOnSightings } from '../rules/content/seen-elsewhere.ts';
import { pdfOf, text } from './fixtures/pdf.ts';
import { BARE, source } from './fixtures/pdf-source.ts';

const ORIGIN = '00112233445566778899aabbccddeeff';

function identified(first: string, second: string): Uint8Array {
  return source({ objects: BARE, trailer: `/Root 1 0 R /ID [<${first}> <${second}>]` });
}

async function fingerprints(bytes: Uint8Array): Promise<Fingerprint[]> {
  const { document } = await openDocument('file', bytes);
  return document ? fingerprintsOf(document) : [];
}

describe('a document seen elsewhere', () => {
  const told = (sightings: Sighting[]) => {
    const verdict = verdictOnSightings(sightings);
    return verdict.status === 'finding' ? verdict.findings.map(({ message, strength }) => [message, strength]) : [];
  };

  it('is reported with the number of other tenants and nothing else', () => {
    expect(told([{ kind: 'file', tenants: 1 }])).to.deep.equal([
      ['Another tenant submitted the same file.', undefined],
    ]);
    expect(told([{ kind: 'figures', tenants: 2 }])).to.deep.equal([
      ['2 other tenants submitted a document with exactly the same figures.', undefined],
    ]);
    expect(verdictOnSightings([{ kind: 'file', tenants: 0 }])).to.include({ status: 'passed' });
  });

  it('by many is a leaflet, and one from the same original a form: these only ask for a review', () => {
    const [[message, strength] = []] = told([{ kind: 'file', tenants: 4 }]);
    expect(message).to.include('leaflet');
    expect(strength).to.equal('context');
    expect(told([{ kind: 'origin', tenants: 1 }])[0]?.[1]).to.equal('context');
  });

  it('keeps the first half of its identifier when edited, unless that is a constant of its program', async () => {
    const origin = [{ kind: 'origin', value: ORIGIN }];
    expect(await fingerprints(identified(ORIGIN, ORIGIN))).to.deep.equal(origin);
    expect(await fingerprints(identified(ORIGIN, 'ff'.repeat(16)))).to.deep.equal(origin);
    for (const value of ['00'.repeat(16), '0123'.repeat(8), ORIGIN.slice(2), ''])
      expect(await fingerprints(identified(value, ORIGIN)), value).to.deep.equal([]);
    expect(await fingerprints(pdfOf([text(50, 50, 'No identifier')]))).to.deep.equal([]);
  });

  it('is looked up by the digest of its file, and the answer is one of its checks', async () => {
    const engine = createForensicEngine({ secondsADocument: 30, memoryMib: 1024, parallel: 1 });
    try {
      const bytes = identified(ORIGIN, ORIGIN);
      const asked: Fingerprint[] = [];
      async function* read() {
        yield bytes;
      }
      const { documents } = await engine.analyse([{ id: 'one', name: 'one.pdf', read }], {
        sightings: async (_document, wanted) => {
          asked.push(...wanted);
          return [{ kind: 'file', tenants: 1 }];
        },
      });
      const [result] = documents;
      expect(asked).to.deep.equal([
        { kind: 'file', value: result?.facts.sha256 },
        { kind: 'origin', value: ORIGIN },
      ]);
      const check = result?.checks.find(({ rule }) => rule === 'seen-elsewhere');
      expect(check).to.deep.include({ status: 'finding', strength: 'medium', family: 'structure' });
      expect(result?.outcome).to.equal('suspicious');
    } finally {
      await engine.close();
    }
  });
});
