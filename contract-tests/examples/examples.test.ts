import { expect } from 'chai';
import { document, resolved } from '../../harness/contract/contract.ts';
import { eventExamples, namedExamples, withoutExample } from '../../harness/contract/named-examples.ts';
import { databases } from '../../harness/database/dialect.ts';
import { idleScenarios } from './seen-from-server.ts';

databases('either');

interface Schema {
  $ref?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** Each field whose schema is an enum, with each of its values, as JSON. */
function choices({ properties = {}, items }: Schema): string[] {
  const here = Object.entries(properties).flatMap(([field, schema]) =>
    (resolved(schema).enum ?? []).map((value) => `"${field}":${JSON.stringify(value)}`),
  );
  return [...here, ...[...Object.values(properties), ...(items ? [items] : [])].flatMap(choices)];
}

/** `npm run contract` checks each example against the service and the mock. */
describe('the named examples of the contract', () => {
  it('cover every declared answer', () => {
    expect(withoutExample).to.deep.equal([]);
  });

  it('cover every value of an answer or event', () => {
    const shown = JSON.stringify([namedExamples.map(({ value }) => value), eventExamples]);
    const all = Object.values(document.components.schemas).flatMap(choices);
    expect(all).to.include('"consent_status":"rejected"');
    expect(all.filter((choice) => !shown.includes(choice))).to.deep.equal([]);
  });

  it('are each produced by a scenario, and no scenario is unused', () => {
    expect(idleScenarios()).to.deep.equal([]);
  });
});
