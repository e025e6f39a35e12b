import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { examineBytes } from '../examine-bytes.ts';
import type { Outcome } from '../result.ts';
import { rules } from '../rules/index.ts';

/** Invented documents, one for each kind of honest file that was once accused, and a few that are forged. */
const FOLDER = new URL('fixtures/cases/', import.meta.url);

/** Every other file is honest and digital. */
const FORGED: Readonly<Record<string, Outcome>> = {
  'field-shown-otherwise-after-signing.pdf': 'tampered',
};

describe('a file of a kind that was once misjudged', () => {
  for (const name of readdirSync(FOLDER))
    it(`is ${FORGED[name] ?? 'accused of nothing'}: ${name}`, async () => {
      const { outcome, checks } = await examineBytes(name, readFileSync(new URL(name, FOLDER)), { rules });
      const findings = checks.flatMap(({ rule, findings: found = [] }) =>
        found.filter(({ strength }) => strength !== 'context').map(({ message }) => `${rule}: ${message}`),
      );
      const wanted = FORGED[name];
      if (wanted === undefined) expect(findings).to.deep.equal([]);
      else expect(outcome).to.equal(wanted);
    });
});
