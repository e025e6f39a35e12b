import { parseArgs } from 'node:util';
import { examineBytes } from '@tenant-screening/forensics/examine-bytes';
import type { DocumentResult } from '@tenant-screening/forensics/result';
import { rules } from '@tenant-screening/forensics/rules';
import { drawForm, type LegalForm, legalForms, type Raise } from '../forms/index.ts';
import { producers } from '../producers/index.ts';
import { randomOf } from '../random.ts';

/**
 * How many genuine payslips in the forms of five countries are accused, for how many with a raised net pay the true one is named, and for how
 * many with raised salary, gross and net pay the contributions are found that did not follow.
 */

const SUMS: ReadonlySet<string> = new Set(['payslip-arithmetic', 'year-shares', 'contribution-rates']);

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    'held-out': { type: 'string', default: 'all' },
    form: { type: 'string' },
    all: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});
const ran = values.all ? rules : rules.filter(({ name }) => SUMS.has(name));
const forms = legalForms.filter(
  ({ isHeldOut, country, name }) =>
    (values['held-out'] === 'all' || isHeldOut === (values['held-out'] === 'only')) &&
    (values.form === undefined || `${country}/${name}`.startsWith(values.form)),
);

const centsOf = (text: string) => Number(text.replace(/\D/g, ''));

async function examined(form: LegalForm, index: number, raise: Raise) {
  const seed = `${values.seed}/${index}`;
  const { drawing, net, gross } = drawForm(form, seed, raise);
  const random = randomOf('maker', seed, form.name);
  const bytes = await random.pick(producers).write(drawing, new Date(Date.UTC(2025, 2, 28)), random);
  const result = await examineBytes('payslip.pdf', bytes, { rules: ran, reading: { ocr: false, ocrSeconds: 0 } });
  return { result, net, gross, seed };
}

function isNamed({ checks }: DocumentResult, net: string): boolean {
  const evidence = checks.flatMap(({ findings = [] }) => findings.flatMap((finding) => finding.evidence));
  // Countries that round payments print the rounding, too.
  return evidence.some(({ before = '' }) => Math.abs(centsOf(before) - centsOf(net)) < 100);
}

/** Gross pay before the change, or a contribution that does not follow from its raised basis. */
function isFound({ checks }: DocumentResult): boolean {
  return checks.some(({ rule, findings = [] }) => rule === 'contribution-rates' && findings.length > 0);
}

const percent = (part: number, whole: number) =>
  `${part}/${whole} (${((100 * part) / Math.max(whole, 1)).toFixed(1)} %)`;
const totals = new Map<
  string,
  {
    genuine: number;
    accused: number;
    passed: number;
    one: number;
    oneNamed: number;
    all: number;
    allNamed: number;
    pay: number;
    payFound: number;
  }
>();

for (const form of forms) {
  const key = `${form.country}/${form.name}${form.isHeldOut ? ' (held out)' : ''}`;
  const line = { genuine: 0, accused: 0, passed: 0, one: 0, oneNamed: 0, all: 0, allNamed: 0, pay: 0, payFound: 0 };
  totals.set(key, line);
  for (let index = 0; index < Number(values.count); index++) {
    const genuine = await examined(form, index, 'none');
    line.genuine++;
    if (genuine.result.checks.some(({ rule, status }) => rule === 'payslip-arithmetic' && status === 'passed'))
      line.passed++;
    else if (values.verbose)
      console.log(
        'UNCHECKED',
        key,
        genuine.seed,
        genuine.result.checks.find(({ rule }) => rule === 'payslip-arithmetic')?.reason,
      );
    const findings = genuine.result.checks.flatMap(({ rule, findings: found = [] }) =>
      found.filter(({ strength }) => strength !== 'context').map(({ message }) => `${rule}: ${message}`),
    );
    if (findings.length > 0) {
      line.accused++;
      console.log('ACCUSED', key, genuine.seed, findings);
    }
    for (const raise of ['one', 'all'] as const) {
      const { result, net, seed } = await examined(form, index, raise);
      line[raise]++;
      if (isNamed(result, net)) line[`${raise}Named`]++;
      else if (values.verbose) console.log('MISSED', raise, key, seed, net);
    }
    if (genuine.gross === undefined) continue;
    const raisedPay = await examined(form, index, 'pay');
    line.pay++;
    if (isFound(raisedPay.result)) line.payFound++;
    else if (values.verbose) console.log('MISSED pay', key, raisedPay.seed, genuine.gross);
  }
}
for (const [key, { genuine, accused, passed, one, oneNamed, all, allNamed, pay, payFound }] of totals)
  console.log(
    key.padEnd(36),
    'accused',
    percent(accused, genuine),
    'checked',
    percent(passed, genuine),
    'named',
    percent(oneNamed, one),
    'everywhere',
    percent(allNamed, all),
    'pay found',
    percent(payFound, pay),
  );
