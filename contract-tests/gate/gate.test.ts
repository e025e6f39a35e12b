import { expect } from 'chai';
import { type Edit, EVENT, editedContract, HOOK, schema } from '../../harness/contract/edited-contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { Contract } from '../../scripts/gate/document.ts';
import { namesOnly, problemsOf } from '../../scripts/gate/verdict.ts';
import { additions, application, breaks, names, request, wording } from './gate-changes.ts';

databases('none');

const edited = (...edits: Edit[]) => new Contract(editedContract(...edits));
const released = edited();
const { version } = released;
const [major = 0, minor = 0] = version.split('.').map(Number);
const [nextMajor, nextMinor] = [`${major + 1}.0.0`, `${major}.${minor + 1}.0`];
const changelog = `## ${version} - 2026-11-21\n\n### Added\n\n- Everything.\n`;

const check = (contract: Contract, log = changelog) => problemsOf(contract, released, log);
const ofVersion = (to: string): Edit => ({ set: '/info/version', to });

describe('the change gate', () => {
  it('passes the released contract', () => {
    expect(check(released)).to.deep.equal([]);
  });

  for (const [kind, edits, ...mentions] of breaks)
    it(`rejects an undeclared break: ${kind}`, () => {
      const problems = check(edited(...edits)).join('\n');
      expect(problems).to.include('Breaking: `#/').and.include(`set info.version to ${nextMajor}`);
      for (const mention of mentions) expect(problems).to.include(mention);
    });

  for (const [kind, edits] of additions)
    it(`classifies as an addition, which needs a version and a line: ${kind}`, () => {
      const [problem = '', ...others] = check(edited(...edits));
      expect(others).to.deep.equal([]);
      expect(problem).to.include(`an addition needs ${nextMinor}`).and.include('`#/');
      const noted = `## ${nextMinor}\n\n- Something new.\n\n${changelog}`;
      expect(check(edited(...edits, ofVersion(nextMinor)), noted)).to.deep.equal([]);
    });

  it('follows references anywhere', () => {
    const combined: Edit = {
      set: application('properties/title'),
      to: { allOf: [{ $ref: '#/components/schemas/Email' }] },
    };
    const event: Edit[] = [
      { set: '/components/callbacks', to: {} },
      { move: `${HOOK}/callbacks/EID_SUCCESS`, to: '/components/callbacks/Eid' },
      { set: `${HOOK}/callbacks/EID_SUCCESS`, to: { $ref: '#/components/callbacks/Eid' } },
    ];
    const longer: Edit = { set: schema('Email/maxLength'), to: 300 };
    const unsigned: Edit = { remove: '/components/callbacks/Eid/{$request.body#~1url}/post/parameters/2' };
    expect(problemsOf(edited(...event), released, changelog)).to.deep.equal([]);
    const problems = problemsOf(edited(combined, ...event, longer, unsigned), edited(combined, ...event), changelog);
    expect(problems.join()).to.include('getApplication 200').and.include('header webhook-signature` is gone');
    expect(problems.join()).to.include('`#/components/schemas/Email/maxLength` was 254, is 300');
  });

  it('rejects an added or removed schema in a combination', () => {
    const [one, two] = [['Email'], ['Email', 'ParticipantName']].map((names) =>
      edited({
        set: application('properties/title'),
        to: { allOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) },
      }),
    );
    for (const [before = released, after = released] of [
      [one, two],
      [two, one],
    ])
      expect(problemsOf(after, before, changelog).join())
        .to.include('Breaking: `#/')
        .and.include('ModularApplicationSummary');
  });

  it('rejects closing a request that accepted additional fields', () => {
    const open = edited({ set: schema('WebhookRegistration/additionalProperties'), to: true });
    const problems = problemsOf(released, open, changelog);
    expect(problems.join()).to.include('was true, is false').and.include('createWebhook request');
  });

  it('classifies a change from integers to any numbers in a request as an addition', () => {
    const [whole, any] = ['integer', 'number'].map((to) => edited({ set: request('title', 'type'), to }));
    const [problem, ...others] = problemsOf(any ?? released, whole ?? released, changelog);
    expect(others).to.deep.equal([]);
    expect(problem).to.include(`an addition needs ${nextMinor}`);
  });

  for (const [kind, edits] of wording)
    it(`allows wording to change: ${kind}`, () => {
      expect(check(edited(...edits))).to.deep.equal([]);
    });

  for (const [kind, edits, ...said] of names)
    it(`classifies as names what the wire does not show: ${kind}`, () => {
      const contract = edited(...edits);
      expect(check(contract)).to.deep.equal([]);
      const reported = namesOnly(contract, released);
      expect(reported).to.have.lengthOf(said.length);
      for (const name of said) expect(reported.join()).to.include(`Names only: ${name}`);
    });

  it('classifies a new operationId as a name, and a lost one as a break', () => {
    const event = `${EVENT}/post/operationId`;
    const unnamed = edited({ remove: event });
    expect(problemsOf(released, unnamed, changelog)).to.deep.equal([]);
    expect(namesOnly(released, unnamed)).to.deep.equal([
      'Names only: operation `onEidSuccess` is new (createWebhook event EID_SUCCESS)',
    ]);
    expect(check(unnamed).join()).to.include('operationId` is gone');
  });

  it('reports a rename beside a break, too', () => {
    const [[, rename = []] = []] = names;
    const both = edited(...rename, { remove: schema('AccessTokenEnvelope/properties/message') });
    expect(check(both).join()).to.include('Breaking: `#/');
    expect(namesOnly(both, released)).to.have.lengthOf(1);
  });
});

describe('the change gate, once a break is declared', () => {
  const edit: Edit = { set: request('title', 'maxLength'), to: 100 };
  const line = `- \`#${request('title', 'maxLength')}\` was 255, is 100: titles fit the letter head.`;
  const section = (heading: string, item: string) => `## ${heading}\n\n### Breaking\n\n${item}\n\n${changelog}`;

  it('passes it with the next major version', () => {
    expect(check(edited(edit, ofVersion(nextMajor)), section(nextMajor, line))).to.deep.equal([]);
  });

  it('rejects it without a new version, or with one that is too low', () => {
    expect(check(edited(edit), section(version, line)).join()).to.include(`needs ${nextMajor}`);
    const lower = check(edited(edit, ofVersion(nextMinor)), section(nextMinor, line));
    expect(lower.join()).to.include(`needs ${nextMajor}`);
  });

  it('rejects it when the line has the wrong heading, version, place or value', () => {
    const contract = edited(edit, ofVersion(nextMajor));
    const elsewhere = [
      section(nextMajor, line).replace('### Breaking', '### Added'),
      `${section('9.0.0', line)}\n\n## ${nextMajor}\n\n- Other things.\n`,
      section(nextMajor, line.replace('title', 'tenants')),
      section(nextMajor, line.replace('is 100', 'is 1000')),
    ];
    for (const log of elsewhere) expect(check(contract, log).join()).to.include('Breaking: `#/');
  });

  it('rejects a declared break that does not exist', () => {
    const problems = check(edited(ofVersion(nextMajor)), section(nextMajor, line));
    expect(problems.join()).to.include('is not a break of this contract');
  });

  it('rejects a version that goes back or is missing from the changelog', () => {
    expect(check(edited(ofVersion('0.9.0'))).join()).to.include(`but ${version} was released`);
    expect(check(edited(ofVersion(nextMinor))).join()).to.include(`says nothing of ${nextMinor}`);
  });
});
