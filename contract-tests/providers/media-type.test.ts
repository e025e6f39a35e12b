import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { BEGINNING_BYTES, mediaTypeOf } from '../../providers/documents/media-type.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

databases('none');

const hex = (digits: string) => Buffer.from(digits.replace(/\s/g, ''), 'hex');

/** The first bytes of a file of each kind, as cameras, scanners and programs write them. */
const beginnings: [string, Uint8Array][] = [
  ['application/pdf', sampleDocument(['A payslip'])],
  ['application/pdf', Buffer.concat([Buffer.from('\n'), sampleDocument(['A payslip'])])],
  ['application/pdf', Buffer.concat([Buffer.from('\ufeff\r\n'), sampleDocument(['A payslip'])])],
  [
    'application/pdf',
    Buffer.concat([Buffer.from(`X-Portal: 1\r\n${' '.repeat(1000)}`), sampleDocument(['A payslip'])]),
  ],
  ['text/plain', Buffer.from(`${'A letter. '.repeat(200)}%PDF-1.7`)],
  ['image/avif', hex('00000020 66747970 61766966 00000000 61766966 6d696631 6d696166 4d413142')],
  ['image/png', hex('89504e470d0a1a0a 0000000d49484452 00000001000000010802000000907753de 0000000c49444154')],
  ['image/jpeg', hex('ffd8ffe0 00104a46494600010100000100010000')],
  ['image/webp', hex('52494646 24000000 57454250 56503820 18000000')],
  ['image/tiff', hex('49492a00 08000000 0000 00000000')],
  ['image/heic', hex('00000018 66747970 68656963 00000000 6d696631 68656963')],
  ['application/json', Buffer.from('\n  {"claims": {"name": "Inés"}}')],
  ['application/json', Buffer.from('\ufeff[1, 2]')],
  ['text/plain', Buffer.from('Nómina de enero\tpágina 1\r\n')],
  ['text/plain', Buffer.from('<b>no</b> {"json": true}')],
  ['text/plain', Buffer.from('[January] {paid}')],
  ['application/octet-stream', Buffer.from('text with \u0000 in it')],
  ['application/octet-stream', Buffer.from('in another encoding: n\xf3mina', 'latin1')],
  ['application/octet-stream', hex('80818283')],
];

describe('a document’s media type', () => {
  for (const [type, bytes] of beginnings)
    it(`is ${type} for ${JSON.stringify(Buffer.from(bytes).toString('latin1').slice(0, 24))}`, async () => {
      expect(await mediaTypeOf(bytes, true)).to.equal(type);
    });

  it('is detected from the beginning alone when there is more', async () => {
    expect(await mediaTypeOf(Buffer.from('{"claims": ['), false)).to.equal('application/json');
    expect(await mediaTypeOf(Buffer.from('{"claims": ['), true)).to.equal('text/plain');
  });

  it('is text when the beginning ends within a character, but not when the document does', async () => {
    const cut = Buffer.from('ñ'.repeat(BEGINNING_BYTES)).subarray(0, BEGINNING_BYTES - 1);
    expect(await mediaTypeOf(cut, false)).to.equal('text/plain');
    expect(await mediaTypeOf(cut, true)).to.equal('application/octet-stream');
  });
});
