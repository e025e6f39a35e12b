import { expect } from 'chai';
import { Contract } from '../../scripts/gate/document.ts';
import { problemsOf } from '../../scripts/gate/verdict.ts';
import { type Edit, editedContract } from '../harness/edited-contract.ts';

const edited = (...edits: Edit[]) => new Contract(editedContract(...edits));
const released = edited();
const { version } = released;
const [major = 0, minor = 0] = version.split('.').map(Number);
const [nextMajor, nextMinor] = [`${major + 1}.0.0`, `${major}.${minor + 1}.0`];
const changelog = `## ${version} - 2026-11-21\n\n### Added\n\n- Everything.\n`;

const schema = (name: string, ...rest: string[]) => ['#/components/schemas', name, ...rest].join('/').slice(1);
const TOKEN = '/paths/~1authenticate~1token';
const CREATE = '/paths/~1applications~1create-application/post';
const GET = '/paths/~1applications~1{applicationId}/get';
const REMOVE = '/paths/~1applications~1{applicationId}~1participants~1{email}/delete';
const KYC = '/paths/~1tenants~1initiate-kyc~1{tenantId}';
const WORKSPACES = '/paths/~1property-management~1workspaces';
const PROPERTY = '/paths/~1property-management~1properties~1{property_id}/get';
const HOOK = '/paths/~1webhooks~1create-webhook/post';
const EVENT = `${HOOK}/callbacks/EID_SUCCESS/{$request.body#~1url}/post`;
const text = { type: 'string', description: 'A text.' };
const request = (field: string, keyword: string) => schema('CreateApplicationRequest/properties', field, keyword);
const application = (...rest: string[]) => schema('ModularApplicationSummary', ...rest);

/** The kind of break, an edit that makes it, and what the message must hold: where it is and whom it reaches. */
const breaks: [string, Edit[], ...string[]][] = [
  ['a path is removed', [{ remove: WORKSPACES }], `\`#${WORKSPACES}\` is gone`],
  ['a path parameter is renamed', [{ move: KYC, to: KYC.replace('tenantId', 'id') }], `\`#${KYC}\` is gone`],
  ['a method is removed', [{ remove: REMOVE }], `\`#${REMOVE}\` is gone`, 'removeParticipant'],
  ['an operationId is renamed', [{ set: `${GET}/operationId`, to: 'readApplication' }], 'getApplication'],
  ['a status is removed', [{ remove: `${REMOVE}/responses/409` }], `#${REMOVE}/responses/409`, 'removeParticipant 409'],
  [
    'a status is changed',
    [{ move: `${REMOVE}/responses/409`, to: `${REMOVE}/responses/422` }],
    `#${REMOVE}/responses/409`,
  ],
  [
    'a success gets another status',
    [{ set: `${GET}/responses/202`, to: { description: 'Later.' } }],
    'getApplication 202',
  ],
  [
    'a call may be answered by a redirect',
    [{ set: `${GET}/responses/307`, to: { description: 'Elsewhere.' } }],
    'getApplication 307',
  ],
  [
    'the media type of a request changes',
    [{ move: `${CREATE}/requestBody/content/application~1json`, to: `${CREATE}/requestBody/content/text~1plain` }],
    'createApplication request',
  ],
  [
    'the media type of an answer changes',
    [{ move: `${GET}/responses/200/content/application~1json`, to: `${GET}/responses/200/content/text~1plain` }],
    'getApplication 200',
  ],
  ['a field of an answer is removed', [{ remove: application('properties/title') }], 'getApplication 200'],
  [
    'a field of an answer is renamed',
    [{ move: application('properties/title'), to: application('properties/name') }],
    `#${application('properties/title')}`,
  ],
  [
    'a field of an answer need not be there any more',
    [{ set: application('required'), to: ['application_id', 'title', 'participants', 'created_at'] }],
    'lost "updated_at"',
  ],
  ['a field of an answer may be null', [{ set: application('properties/title/nullable'), to: true }], 'nullable'],
  [
    'an answer may hold a new enum value',
    [{ set: schema('ConsentStatus/enum/-'), to: 'expired' }],
    'gained "expired"',
    'getApplication 200',
    'updateParticipant 200',
  ],
  ['an answer loses its enum', [{ remove: schema('ConsentStatus/enum') }], `#${schema('ConsentStatus/enum')}`],
  [
    'the type of a field of an answer changes',
    [{ set: schema('Property/properties/floor/type'), to: 'string' }],
    'getProperty 200',
  ],
  [
    'whole numbers of an answer become any numbers',
    [{ set: schema('Property/properties/floor/type'), to: 'number' }],
    'was "integer", is "number"',
  ],
  ['the format of an answer is dropped', [{ remove: application('properties/created_at/format') }], 'date-time'],
  ['texts of an answer may be longer', [{ set: application('properties/title/maxLength'), to: 300 }], 'is 300'],
  ['an answer may hold fields of any name', [{ set: application('additionalProperties'), to: true }], 'is true'],
  [
    'a list of an answer may hold anything',
    [{ remove: application('properties/participants/items') }],
    'items` is gone',
  ],
  ['a header of an answer is removed', [{ remove: `${GET}/responses/200/headers/X-Request-Id` }], 'X-Request-Id'],
  [
    'a request must hold a new field',
    [
      { set: request('note', '').slice(0, -1), to: text },
      { set: schema('CreateApplicationRequest/required/-'), to: 'note' },
    ],
    'gained "note"',
    'createApplication request',
  ],
  [
    'an optional field of a request becomes required',
    [{ set: schema('CreateWebhookRequest/required/-'), to: 'secret' }],
    'gained "secret"',
  ],
  ['a field of a request is removed', [{ remove: schema('CreateWebhookRequest/properties/secret') }], 'secret'],
  ['a limit of a request is lowered', [{ set: request('title', 'maxLength'), to: 100 }], 'was 255, is 100'],
  ['a limit appears on a request', [{ set: request('title', 'minLength'), to: 3 }], 'is new: 3'],
  ['a list of a request may be less long', [{ set: request('tenants', 'maxItems'), to: 4 }], 'was 5, is 4'],
  ['a list of a request must be longer', [{ set: request('tenants', 'minItems'), to: 2 }], 'was 1, is 2'],
  ['a number of a request may be less high', [{ set: request('title', 'maximum'), to: 9 }], 'maximum` is new: 9'],
  ['a number of a request must be higher', [{ set: request('title', 'minimum'), to: 1 }], 'minimum` is new: 1'],
  ['the items of a request must differ', [{ set: request('tenants', 'uniqueItems'), to: true }], 'uniqueItems'],
  ['a pattern appears on a request', [{ set: request('title', 'pattern'), to: '^[A-Z]' }], 'pattern'],
  ['a format appears on a request', [{ set: request('title', 'format'), to: 'uri' }], 'format'],
  ['an enum appears on a request', [{ set: request('title', 'enum'), to: ['Flat'] }], 'enum'],
  ['the type of a field of a request changes', [{ set: request('title', 'type'), to: 'integer' }], 'integer'],
  ['a default changes', [{ set: schema('CreateApplicationTenant/properties/is_lead/default'), to: true }], 'default'],
  ['a body becomes required', [{ set: `${PROPERTY}/requestBody`, to: { required: true, content: {} } }], 'getProperty'],
  [
    'a parameter is renamed',
    [{ set: `${PROPERTY}/parameters/1/name`, to: 'workspace' }],
    'query workspace_id',
    'query workspace`',
  ],
  ['a parameter moves', [{ set: `${PROPERTY}/parameters/1/in`, to: 'header' }], 'query workspace_id` is gone'],
  ['a parameter is removed', [{ remove: `${PROPERTY}/parameters/1` }], 'query workspace_id` is gone'],
  [
    'a new parameter is required',
    [{ set: `${PROPERTY}/parameters/-`, to: { name: 'at', in: 'query', required: true, schema: { type: 'string' } } }],
    'query at` is new',
  ],
  [
    'a parameter is narrowed',
    [{ set: '/components/parameters/TenantId/schema/format', to: 'uuid' }],
    'initiateKyc parameter path tenantId',
    'runForensic parameter path tenantId',
  ],
  ['the security of an operation changes', [{ set: `${GET}/security`, to: [{ clientCredentials: [] }] }], 'security'],
  ['a security scheme changes', [{ set: '/components/securitySchemes/accessToken/scheme', to: 'digest' }], 'scheme'],
  ['the base path of a server changes', [{ set: '/servers/0/url', to: 'https://api.example/api/v2' }], '#/servers/'],
  ['another server comes first', [{ move: '/servers/0', to: '/servers/-' }], '`#/servers` was'],
  ['an event is removed', [{ remove: `${HOOK}/callbacks/EID_SUCCESS` }], 'createWebhook event EID_SUCCESS'],
  [
    'a field of an event is removed',
    [{ remove: schema('EidSuccessEvent/properties/data') }],
    'createWebhook event EID_SUCCESS body',
  ],
  [
    'an event may say something new',
    [{ set: schema('EidSuccessEvent/properties/event/enum/-'), to: 'EID_FAILURE' }],
    'gained "EID_FAILURE"',
  ],
  [
    'an event loses a signature header',
    [{ remove: `${EVENT}/parameters/2` }],
    'header webhook-signature` is gone',
    'EID_SUCCESS',
  ],
  ['a keyword appears that the gate has no rule for', [{ set: request('title', 'not'), to: { enum: [''] } }], '/not`'],
];

const additions: [string, Edit[]][] = [
  ['an optional field of a request', [{ set: schema('UpdateParticipantRequest/properties/phone'), to: text }]],
  ['a field of an answer', [{ set: application('properties/city'), to: text }]],
  ['an operation', [{ set: `${WORKSPACES}/post`, to: { operationId: 'openWorkspace', responses: {} } }]],
  ['an error status', [{ set: `${GET}/responses/403`, to: { description: 'Forbidden.' } }]],
  ['a header of an answer', [{ set: `${GET}/responses/200/headers/ETag`, to: { schema: text } }]],
  ['an optional parameter', [{ set: `${PROPERTY}/parameters/-`, to: { name: 'at', in: 'query', schema: text } }]],
  ['a wider limit of a request', [{ set: request('title', 'maxLength'), to: 500 }]],
  ['a required field of a request that becomes optional', [{ remove: schema('CreateApplicationRequest/required/0') }]],
  ['a narrower limit of an answer', [{ set: application('properties/title/maxLength'), to: 100 }]],
  [
    'bounds, patterns and formats of an answer',
    Object.entries({
      maximum: 99,
      minimum: -9,
      minLength: 1,
      minItems: 1,
      maxItems: 9,
      pattern: '.',
      uniqueItems: true,
    }).map(([keyword, to]) => ({ set: application('properties/title', keyword), to })),
  ],
  ['a request that takes further fields', [{ set: schema('CreateWebhookRequest/additionalProperties'), to: true }]],
  [
    'an answer without further fields',
    [{ set: schema('KycVerificationDataEvent/properties/data/additionalProperties'), to: false }],
  ],
  ['an enum value that answers no longer hold', [{ remove: schema('ConsentStatus/enum/2') }]],
  ['an answer that is never null', [{ remove: schema('LinkedTenantId/nullable') }]],
  ['whole numbers where an answer held any', [{ set: schema('Property/properties/rent_amount/type'), to: 'integer' }]],
  ['a parameter that need not be there', [{ set: `${PROPERTY}/parameters/1/required`, to: false }]],
  ['a field of an answer that is always there from now on', [{ set: schema('Webhook/required/-'), to: 'secret' }]],
  ['an event', [{ set: `${HOOK}/callbacks/EID_FAILURE`, to: { '{$request.body#/url}': { post: { responses: {} } } } }]],
];

const wording: [string, Edit[]][] = [
  ['descriptions', [{ set: `${GET}/description`, to: 'In other words.' }]],
  ['summaries', [{ set: `${GET}/summary`, to: 'In other words' }]],
  ['examples', [{ remove: `${CREATE}/requestBody/content/application~1json/examples/single` }]],
  ['open points', [{ remove: `${GET}/x-open-point` }]],
  ['tags', [{ set: `${TOKEN}/post/tags/0`, to: 'Webhooks' }]],
];

const check = (contract: Contract, log = changelog) => problemsOf(contract, released, log);
const ofVersion = (to: string): Edit => ({ set: '/info/version', to });

describe('The change gate', () => {
  it('lets the contract pass that was released', () => {
    expect(check(released)).to.deep.equal([]);
  });

  for (const [kind, edits, ...mentions] of breaks)
    it(`stops a break that nobody declared: ${kind}`, () => {
      const problems = check(edited(...edits)).join('\n');
      expect(problems).to.include('Breaking: `#/').and.include(`set info.version to ${nextMajor}`);
      for (const mention of mentions) expect(problems).to.include(mention);
    });

  for (const [kind, edits] of additions)
    it(`takes for an addition, which needs a version and a line: ${kind}`, () => {
      const [problem = '', ...others] = check(edited(...edits));
      expect(others).to.deep.equal([]);
      expect(problem).to.include(`an addition needs ${nextMinor}`).and.include('`#/');
      const noted = `## ${nextMinor}\n\n- Something new.\n\n${changelog}`;
      expect(check(edited(...edits, ofVersion(nextMinor)), noted)).to.deep.equal([]);
    });

  it('follows references wherever they stand', () => {
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

  it('stops one schema more or less in a combination', () => {
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

  it('stops the closing of a request that took further fields', () => {
    const open = edited({ set: schema('CreateWebhookRequest/additionalProperties'), to: true });
    const problems = problemsOf(released, open, changelog);
    expect(problems.join()).to.include('was true, is false').and.include('createWebhook request');
  });

  it('takes any numbers where a request took whole ones for an addition', () => {
    const [whole, any] = ['integer', 'number'].map((to) => edited({ set: request('title', 'type'), to }));
    const [problem, ...others] = problemsOf(any ?? released, whole ?? released, changelog);
    expect(others).to.deep.equal([]);
    expect(problem).to.include(`an addition needs ${nextMinor}`);
  });

  for (const [kind, edits] of wording)
    it(`lets wording change: ${kind}`, () => {
      expect(check(edited(...edits))).to.deep.equal([]);
    });
});

describe('The change gate, once a break is declared', () => {
  const edit: Edit = { set: request('title', 'maxLength'), to: 100 };
  const line = `- \`#${request('title', 'maxLength')}\` was 255, is 100: titles fit the letter head.`;
  const section = (heading: string, item: string) => `## ${heading}\n\n### Breaking\n\n${item}\n\n${changelog}`;

  it('lets it pass with the next first number of the version', () => {
    expect(check(edited(edit, ofVersion(nextMajor)), section(nextMajor, line))).to.deep.equal([]);
  });

  it('stops it without a new version, and with one that is too low', () => {
    expect(check(edited(edit), section(version, line)).join()).to.include(`needs ${nextMajor}`);
    const lower = check(edited(edit, ofVersion(nextMinor)), section(nextMinor, line));
    expect(lower.join()).to.include(`needs ${nextMajor}`);
  });

  it('stops it when the line is somewhere else: under another heading, version, place or value', () => {
    const contract = edited(edit, ofVersion(nextMajor));
    const elsewhere = [
      section(nextMajor, line).replace('### Breaking', '### Added'),
      `${section('9.0.0', line)}\n\n## ${nextMajor}\n\n- Other things.\n`,
      section(nextMajor, line.replace('title', 'tenants')),
      section(nextMajor, line.replace('is 100', 'is 1000')),
    ];
    for (const log of elsewhere) expect(check(contract, log).join()).to.include('Breaking: `#/');
  });

  it('stops a declared break that is none', () => {
    const problems = check(edited(ofVersion(nextMajor)), section(nextMajor, line));
    expect(problems.join()).to.include('is not a break of this contract');
  });

  it('stops a version that goes back or that the changelog does not tell of', () => {
    expect(check(edited(ofVersion('0.9.0'))).join()).to.include(`but ${version} was released`);
    expect(check(edited(ofVersion(nextMinor))).join()).to.include(`says nothing of ${nextMinor}`);
  });
});
