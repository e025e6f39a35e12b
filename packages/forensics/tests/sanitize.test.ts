import { expect } from 'chai';
import { Malformed } from '../isolation/frames.ts';
import { sanitizeMessage } from '../isolation/sanitize.ts';

const about = { rule: 'any', version: 1, title: 'Any', strength: 'medium', family: 'image' };
const finding = { message: 'Seen.', strength: 'medium', evidence: [{ page: 1 }] };

/** A payslip that claims one thing. */
function paperWith(more: object) {
  const box = { x: 1, y: 2, width: 3, height: 4 };
  const claim = { kind: 'net', value: '184210', text: '1.842,10', page: 1, box, ...more };
  return { kind: 'payslip', is_read: false, claims: [claim] };
}

function sanitized(header: unknown, body = new Uint8Array()) {
  return sanitizeMessage({ header, body });
}

function checked(more: object) {
  const read = sanitized({ is: 'check', check: { ...about, status: 'finding', findings: [finding], ...more } });
  return read.is === 'check' ? read.check : undefined;
}

describe('the sanitizer of a worker’s messages', () => {
  it('rebuilds them from an allow-list of fields', () => {
    const strange = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "unknown": {"deep": []}}');
    const place = { page: 2, box: { x: 1.2345, y: 2, width: 3, height: 4, z: 5 }, before: 'a', ...strange };
    const check = checked({ ...strange, findings: [{ ...finding, ...strange, evidence: [place] }] });
    expect(check).to.deep.equal({
      ...about,
      status: 'finding',
      findings: [{ ...finding, evidence: [{ page: 2, box: { x: 1.23, y: 2, width: 3, height: 4 }, before: 'a' }] }],
    });
    expect(Object.hasOwn(Object.prototype, 'polluted')).to.equal(false);
  });

  it('truncates them to what a result may hold, in characters that every database and browser accepts', () => {
    const places = Array.from({ length: 1000 }, () => ({ before: 'x'.repeat(100_000) }));
    const findings = Array.from({ length: 1000 }, () => ({ ...finding, evidence: places }));
    const text = JSON.stringify(checked({ findings }));
    expect(text.length).to.be.below(1024 * 1024);
    expect(checked({ reason: 'half \ud800 and nought \u0000' })?.reason).to.equal('half \ufffd and nought \ufffd');
  });

  it('accepts a glance with pages, days and a picture that are such', () => {
    const glance = { possible: ['payslip'], look: 'payslip', numbers: [1], missing: [2], count: 1, isPicture: false };
    const read = (more: object, body = new Uint8Array(6), size: object = { width: 2, height: 1 }) =>
      sanitized({ is: 'glanced', glance: { ...glance, ...more, unknown: 1 }, ...size }, body);
    const thumbnail = { width: 2, height: 1, data: new Uint8Array(6) };
    expect(read({ day: '2026-03-31' })).to.deep.equal({
      is: 'glanced',
      glance: { ...glance, day: '2026-03-31' },
      thumbnail,
    });
    for (const wrong of [{ day: '31.3.' }, { look: 'poem' }, { missing: [0] }, { numbers: [1.5] }, { count: -1 }])
      expect(() => read(wrong), JSON.stringify(wrong)).to.throw(Malformed);
    for (const size of [{ width: 3, height: 1 }, { width: 1000, height: 1 }, {}])
      expect(() => read({}, new Uint8Array(6), size), JSON.stringify(size)).to.throw(Malformed);
  });

  it('refuses fields of the wrong type', () => {
    const wrong: unknown[] = [
      ...[null, 1, 'ready', [], {}, { is: 'unknown' }, { is: 'check' }, { is: 'check', check: [] }],
      { is: 'ready', planned: 'all' },
      { is: 'opened', facts: { kind: 'exe' } },
      { is: 'opened', facts: { pages: '1' } },
      { is: 'opened', facts: {}, unreadable: { message: 'no' } },
      { is: 'examined', fingerprints: [{ kind: 'file', value: 'ab'.repeat(32) }] },
      { is: 'examined', fingerprints: [{ kind: 'origin', value: "'; drop table documents" }] },
      { is: 'examined', fingerprints: [] },
      ...[
        { kind: 'salary' },
        { value: 12 },
        { value: '1e99' },
        { kind: 'payday', value: '2025-13-01' },
        { kind: 'month', value: '2025-00' },
        { day: 'yesterday' },
      ].map((more) => ({ is: 'examined', fingerprints: [], papers: [paperWith(more)] })),
      { is: 'preview', page: 1, width: 1 },
      ...[
        { status: 'fine' },
        { strength: 'mighty' },
        { findings: {} },
        { findings: [{ ...finding, message: 1 }] },
        { findings: [{ ...finding, evidence: [{ page: '1' }] }] },
        { findings: [{ ...finding, evidence: [{ box: { x: 1, y: 1, width: 1 } }] }] },
        { findings: [{ ...finding, evidence: [{ details: { list: [] } }] }] },
      ].map((more) => ({ is: 'check', check: { ...about, status: 'finding', findings: [finding], ...more } })),
    ];
    for (const header of wrong) expect(() => sanitized(header), JSON.stringify(header)).to.throw(Malformed);
  });

  it('accepts a document’s facts only in the form of their kind: they are compared outside the sandbox', () => {
    const paper = paperWith({ kind: 'credit', day: '2025-03-28', words: 'gehalt' });
    const read = sanitized({ is: 'examined', fingerprints: [], papers: [{ ...paper, more: 1 }] });
    expect(read.is === 'examined' && read.papers).to.deep.equal([paper]);
  });
});
