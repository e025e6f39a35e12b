import { expect } from 'chai';
import { locales, tags } from '../../data/locale.ts';
import { payslipOf } from '../../data/payslip.ts';
import { statementOf } from '../../data/statement.ts';
import { expectations } from '../../expectations.ts';
import { judge } from '../../judge.ts';
import { locate } from '../../pdf/locate.ts';
import { randomOf } from '../../random.ts';
import { pdfMethods, pictureMethods, sampleOf, samples } from '../../samples.ts';
import type { Method } from '../../truth.ts';
import { asExpected } from '../as-expected.ts';

const SEED = 20_250;
/** Excludes the method that needs optional software. */
const written = pdfMethods.filter((method) => method !== 'redistilled');

describe('the corpus', () => {
  it('makes the same files again for the same seed', async () => {
    // Excludes signatures and encryption, whose keys are random. One picture method represents all.
    const drawn = ['signed', 'timestamped', 'after-signing', 'signed-rewrite', 'encrypted'];
    const slow = ['scanned-with-text', 'print-scan', 'scan-splice', 'replaced-picture'];
    for (const method of written.filter((name) => ![...drawn, ...slow].includes(name))) {
      const [one, other] = [await sampleOf(SEED, 1, method), await sampleOf(SEED, 1, method)];
      expect(one.name).to.equal(other.name);
      expect(Buffer.compare(one.bytes, other.bytes), one.name).to.equal(0);
    }
  });

  it('makes other files for another seed, and other variants of one method', async () => {
    const made = [await sampleOf(1, 0, 'overlay'), await sampleOf(1, 1, 'overlay'), await sampleOf(2, 0, 'overlay')];
    expect(new Set(made.map(({ bytes }) => Buffer.from(bytes).toString('latin1'))).size).to.equal(3);
  });

  it('takes the methods in turn', async () => {
    const names: Method[] = [];
    for await (const { truth } of samples(1, 4, { methods: ['as-produced', 'in-place'] })) names.push(truth.method);
    expect(names).to.deep.equal(['as-produced', 'in-place', 'as-produced', 'in-place']);
  });

  it('has statements whose balances follow from one another, and payslips that add up, in every language', () => {
    for (const tag of tags) {
      const { opening, movements, closing } = statementOf(locales[tag], randomOf(tag), 30);
      const last = movements.reduce((before, { amount, balance }) => {
        expect(balance).to.equal(before + amount);
        return balance;
      }, opening);
      expect(closing).to.equal(last);
      const { earnings, gross, deductions, net } = payslipOf(locales[tag], randomOf(tag));
      const sum = (items: readonly { amount: number }[]) => items.reduce((total, { amount }) => total + amount, 0);
      expect(gross).to.equal(sum(earnings));
      expect(net).to.equal(gross - sum(deductions));
    }
  });

  it('shows the new value where it says that it changed one', async () => {
    for (const method of [
      'overlay',
      'incremental-edit',
      'rewrite-orphan',
      'rewrite-clean',
      'in-place',
      'font-swap',
    ] as const) {
      const { bytes, name, truth } = await sampleOf(SEED, 2, method);
      for (const { page, after } of truth.changes)
        expect(await locate(bytes, page, after), `${after} in ${name}`).to.exist;
    }
  });

  it('expects something of every method, once for each kind of change', () => {
    const keys = expectations.map(({ method, kind, change }) => `${method} ${kind} ${change}`);
    expect(new Set(keys).size).to.equal(keys.length);
    expect(new Set(expectations.map(({ method }) => method))).to.deep.equal(
      new Set([...pdfMethods, ...pictureMethods]),
    );
  });
});

describe('the judge of the corpus', () => {
  const change = { target: 'amount' as const, page: 1, before: '1.250,00', after: '2.850,00', bound: true };
  const truth = {
    ...{ genuine: false, method: 'overlay' as const, kind: 'pdf' as const, subject: 'payslip' as const },
  };
  const whole = { ...truth, layout: 'list', producer: 'by-hand', language: 'de' as const, changes: [change] };
  const judged = (message: string, strength: 'strong' | 'context') => {
    const check = { rule: 'covered-text', version: 1, title: 'Covered text', strength, family: 'content' as const };
    const finding = { message, strength, evidence: [{ page: 1 }] };
    return judge(whole, { outcome: 'tampered', checks: [{ ...check, status: 'finding', findings: [finding] }] })
      .evidence;
  };

  it('credits a finding that names the old or the new value, and none that names others', () => {
    expect(judged('The amount reads 2.850,00.', 'strong')).to.equal(true);
    expect(judged('The amount read 1.250,00 before.', 'strong')).to.equal(true);
    expect(judged('The amount reads 12.850,00.', 'strong')).to.equal(false);
    expect(judged('The amount reads 2.850,001.', 'strong')).to.equal(false);
    expect(judged('Something is wrong.', 'strong')).to.equal(false);
  });

  it('credits no finding that decides nothing', () => {
    expect(judged('The amount reads 2.850,00.', 'context')).to.equal(false);
  });
});

/** Every method and every producer are tried at night. */
describe('the engine on samples of the corpus', () => {
  for (const method of ['as-produced', 'overlay', 'in-place', 'font-swap'] as const)
    it(`comes to what is expected of ${method}`, async () => {
      await asExpected(await sampleOf(SEED, 0, method));
    });
});
