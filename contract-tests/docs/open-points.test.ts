import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Edit, editedContract, REMOVE, schema } from '../../harness/contract/edited-contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { Contract } from '../../scripts/gate/document.ts';
import { ledger } from '../../scripts/lint/open-points.ts';

databases('none');

describe('the ledger of open points', () => {
  const contract = (...edits: Edit[]) => new Contract(editedContract(...edits));
  const original = readFileSync(new URL('../../docs/open-points.md', import.meta.url), 'utf8');
  const faultsOf = (given: Contract, written?: string) =>
    ledger(given, written)
      .map(({ pointer, message }) => `${pointer} ${message}`)
      .join('\n');

  it('has a row for every open point marked in the contract', () => {
    const marked = contract({ set: schema('Error/x-open-point'), to: 'error-colour' });
    expect(faultsOf(marked))
      .to.include(`#${schema('Error')}`)
      .and.include('error-colour');
  });

  it('has no row for anything the contract does not mark', () => {
    expect(faultsOf(contract({ remove: schema('Email/x-open-point') }))).to.include('email-length is marked nowhere');
  });

  it('separates decisions made outside the contract', () => {
    expect(faultsOf(contract({ set: `${REMOVE}/x-open-point`, to: 'wrong-method' }))).to.include('wrong-method');
  });

  it('states for each point what is open, the choice, why, and an existing file', () => {
    expect(faultsOf(contract(), original.replace('| 409 |', '|  |'))).to.include('lead-removal-status');
    expect(faultsOf(contract(), original.replace('`http/api/bind.ts`', '`http/gone.ts`'))).to.include('http/gone.ts');
    expect(faultsOf(contract(), original.replace('`success-status`', '`Success_Status`'))).to.include('Success_Status');
  });
});
