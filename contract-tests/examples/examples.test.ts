import { expect } from 'chai';
import { document, resolved } from '../harness/contract.ts';
import { dialect } from '../harness/databases.ts';
import { faultsOf } from './coverage.ts';
import { eventExamples, namedExamples, withoutExample } from './named-examples.ts';
import { seeBySchema, seeFromMock } from './seen-from-mock.ts';
import { idleScenarios, seeFromServer } from './seen-from-server.ts';

interface Schema {
  $ref?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** Each field below a schema that is one of several values, with each of them, as JSON. */
function choices({ properties = {}, items }: Schema): string[] {
  const here = Object.entries(properties).flatMap(([field, schema]) =>
    (resolved(schema).enum ?? []).map((value) => `"${field}":${JSON.stringify(value)}`),
  );
  return [...here, ...[...Object.values(properties), ...(items ? [items] : [])].flatMap(choices)];
}

describe('the named examples of the contract', () => {
  it('show every declared answer', () => {
    expect(withoutExample).to.deep.equal([]);
  });

  it('are what the real service answers, value by value', async () => {
    expect(faultsOf({ [`server ${dialect}`]: await seeFromServer() })).to.deep.equal([]);
  });

  it('are what the mock answers when it is asked for them', async () => {
    expect(faultsOf({ mock: await seeFromMock() })).to.deep.equal([]);
  });

  it('show every value that an answer or an event can take', () => {
    const shown = JSON.stringify([namedExamples.map(({ value }) => value), eventExamples]);
    const all = Object.values(document.components.schemas).flatMap(choices);
    expect(all).to.include('"consent_status":"rejected"');
    expect(all.filter((choice) => !shown.includes(choice))).to.deep.equal([]);
  });

  it('are valid by their schema', () => {
    expect(faultsOf({ schema: seeBySchema() })).to.deep.equal([]);
  });

  it('are brought about by the scenarios, of which none is idle', () => {
    expect(idleScenarios()).to.deep.equal([]);
  });
});
