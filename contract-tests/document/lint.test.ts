import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Contract } from '../../scripts/gate/document.ts';
import { ledger } from '../../scripts/lint/open-points.ts';
import { type Edit, editedContract, textOf } from '../harness/edited-contract.ts';

interface Problem {
  ruleId: string;
  message: string;
  location: { pointer: string; start: { line: number } }[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const CREATE = '/paths/~1applications~1create-application/post';
const GET = '/paths/~1applications~1{applicationId}/get';
const REMOVE = '/paths/~1applications~1{applicationId}~1participants~1{email}/delete';
const KYC = '/paths/~1tenants~1initiate-kyc~1{tenantId}/get';
const PROPERTY = '/paths/~1property-management~1properties~1{property_id}/get';
const HOOK = '/paths/~1webhooks~1create-webhook/post';
const EVENT = `${HOOK}/callbacks/EID_SUCCESS/{$request.body#~1url}`;
const schema = (rest: string) => `/components/schemas/${rest}`;
const json = (body: string) => `${body}/content/application~1json`;
const text = { type: 'string', description: 'A text.' };
const answer = (status: string) => ({
  description: 'An answer.',
  headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
  content: {
    'application/json': {
      schema: { $ref: `#/components/schemas/${status.startsWith('2') ? 'TokenResponse' : 'Error'}` },
      examples: { one: { summary: 'One', value: { status: 'error', message: 'No.' } } },
    },
  },
});

/** What is wrong, the edit, the rule that must see it, the place it must name, and a part of what it must say. */
const faults: [string, Edit[], string, string, string?][] = [
  ['another version of OpenAPI', [{ set: '/openapi', to: '3.0.2' }], 'rule/version-that-dredd-reads', '/openapi'],
  [
    'an operationId not in camel case',
    [{ set: `${GET}/operationId`, to: 'get-application' }],
    'rule/camel-case-operation-id',
    GET,
  ],
  ['no operationId', [{ remove: `${GET}/operationId` }], 'operation-operationId', GET],
  ['one operationId twice', [{ set: `${GET}/operationId`, to: 'initiateKyc' }], 'operation-operationId-unique', KYC],
  ['no summary', [{ remove: `${GET}/summary` }], 'operation-summary', GET],
  ['no description of an operation', [{ remove: `${GET}/description` }], 'operation-description', GET],
  ['no description of a tag', [{ remove: '/tags/0/description' }], 'tag-description', '/tags/0'],
  ['two tags', [{ set: `${GET}/tags/-`, to: 'Webhooks' }], 'operation-singular-tag', GET],
  ['a tag that is not defined', [{ set: `${GET}/tags/0`, to: 'Other' }], 'operation-tag-defined', GET],
  [
    'no description of a parameter',
    [{ remove: '/components/parameters/TenantId/description' }],
    'parameter-description',
    '/components/parameters/TenantId',
  ],
  ['no description of a schema', [{ remove: schema('Error/description') }], 'contract/described', schema('Error')],
  [
    'no description of a property',
    [{ remove: schema('Property/properties/floor/description') }],
    'contract/described',
    schema('Property/properties/floor'),
  ],
  [
    'no description of a header',
    [{ remove: '/components/headers/RequestId/description' }],
    'contract/described',
    '/components/headers/RequestId',
  ],
  [
    'no description of an answer',
    [{ set: `${GET}/responses/200/description`, to: '' }],
    'contract/described',
    `${GET}/responses/200`,
  ],
  [
    'no description of a request',
    [{ remove: `${CREATE}/requestBody/description` }],
    'contract/described',
    `${CREATE}/requestBody`,
  ],
  [
    'a request body that may be missing',
    [{ remove: `${CREATE}/requestBody/required` }],
    'rule/required-request-body',
    `${CREATE}/requestBody`,
  ],
  ['no example of an answer', [{ remove: `${json(`${GET}/responses/200`)}/examples` }], 'contract/named-examples', GET],
  [
    'no example of an event',
    [{ remove: `${json(`${EVENT}/post/requestBody`)}/examples` }],
    'contract/named-examples',
    EVENT,
  ],
  [
    'an example without a summary',
    [{ remove: `${json(`${CREATE}/requestBody`)}/examples/couple/summary` }],
    'contract/named-examples',
    `${CREATE}/requestBody`,
    'couple',
  ],
  [
    'a parameter without an example',
    [{ remove: '/components/parameters/TenantId/example' }],
    'contract/named-examples',
    '/components/parameters/TenantId',
    'tenantId',
  ],
  [
    'a body that is not JSON',
    [{ move: json(`${CREATE}/requestBody`), to: `${CREATE}/requestBody/content/text~1plain` }],
    'contract/named-examples',
    `${CREATE}/requestBody`,
    'text/plain',
  ],
  ...(
    [
      ['type', 'status', 3],
      ['enum', 'status', 'fine'],
      ['format', 'data/created_at', 'yesterday'],
      ['format', 'data/participants/0/email', 'nobody'],
      ['surplus field', 'data/colour', 'red'],
    ] as const
  ).map(([constraint, field, to]): [string, Edit[], string, string] => [
    `an example of an answer with a wrong ${constraint} in ${field}`,
    [{ set: `${json(`${GET}/responses/200`)}/examples/couple/value/${field}`, to }],
    'no-invalid-media-type-examples',
    `${json(`${GET}/responses/200`)}/examples/couple`,
  ]),
  [
    'an example of a request without a required field',
    [{ remove: `${json(`${CREATE}/requestBody`)}/examples/couple/value/title` }],
    'no-invalid-media-type-examples',
    `${json(`${CREATE}/requestBody`)}/examples/couple`,
  ],
  [
    'an example of an event with a wrong value',
    [{ set: `${json(`${EVENT}/post/requestBody`)}/examples/eidSuccess/value/event`, to: 'EID' }],
    'no-invalid-media-type-examples',
    EVENT,
  ],
  [
    'an example of a parameter that is not valid',
    [{ set: '/components/parameters/ParticipantEmail/example', to: 'nobody' }],
    'no-invalid-parameter-examples',
    '/components/parameters/ParticipantEmail',
  ],
  [
    'an example of a schema that is not valid',
    [{ set: schema('Email/example'), to: 'nobody' }],
    'no-invalid-schema-examples',
    schema('Email'),
  ],
  [
    'an open point without a row in the ledger',
    [{ set: schema('Error/x-open-point'), to: 'error-colour' }],
    'contract/open-points-ledger',
    schema('Error'),
    'error-colour',
  ],
  [
    'an object that does not say whether it is open',
    [{ remove: schema('Webhook/additionalProperties') }],
    'contract/additional-properties-said',
    schema('Webhook'),
  ],
  [
    'an error with another body',
    [{ set: `${json(`${REMOVE}/responses/409`)}/schema/$ref`, to: '#/components/schemas/FieldError' }],
    'contract/envelope',
    `${REMOVE}/responses/409`,
    'removeParticipant 409',
  ],
  [
    'a success without the envelope',
    [{ set: `${json(`${GET}/responses/200`)}/schema/$ref`, to: '#/components/schemas/ModularApplicationSummary' }],
    'contract/envelope',
    `${GET}/responses/200`,
    'getApplication 200',
  ],
  [
    'an answer without X-Request-Id',
    [{ remove: `${GET}/responses/200/headers/X-Request-Id` }],
    'contract/answer-headers',
    `${GET}/responses/200`,
    'getApplication 200',
  ],
  [
    'a 401 without WWW-Authenticate',
    [{ remove: '/components/responses/Unauthorized/headers/WWW-Authenticate' }],
    'contract/answer-headers',
    '/components/responses/Unauthorized',
    'createApplication 401',
  ],
  ['an operation without 401', [{ remove: `${GET}/responses/401` }], 'contract/usual-statuses', GET, 'getApplication'],
  ['an operation without security', [{ remove: `${GET}/security` }], 'contract/one-security-scheme', GET],
  [
    'an unknown security scheme',
    [{ set: `${GET}/security/0`, to: { cookie: [] } }],
    'security-defined',
    `${GET}/security`,
  ],
  ['a schema that nothing uses', [{ set: schema('Spare'), to: text }], 'no-unused-components', schema('Spare')],
  ['a reference that leads nowhere', [{ remove: schema('Email') }], 'no-unresolved-refs', '/components'],
];

/** Differences from what is given, all of the rule `contract/given`. */
const ungiven: [string, Edit[], string, string][] = [
  [
    'a surplus operation',
    [{ set: '/paths/~1tenants', to: { get: { operationId: 'listTenants' } } }],
    '/paths/~1tenants',
    'listTenants',
  ],
  ['a given operation that is missing', [{ remove: REMOVE }], '/paths', 'removeParticipant'],
  [
    'another path',
    [{ move: '/paths/~1webhooks~1create-webhook', to: '/paths/~1webhooks' }],
    '/paths/~1webhooks/post',
    'POST /webhooks/create-webhook',
  ],
  [
    'a surplus field of a request',
    [{ set: schema('CreateApplicationRequest/properties/note'), to: text }],
    schema('CreateApplicationRequest'),
    'note',
  ],
  [
    'a surplus field of an item of a request',
    [{ set: schema('CreateApplicationTenant/properties/phone'), to: text }],
    schema('CreateApplicationTenant/properties/phone'),
    'tenants[].phone',
  ],
  [
    'a given field of a request that is missing',
    [{ remove: schema('CreateWebhookRequest/properties/secret') }],
    HOOK,
    'secret',
  ],
  [
    'a request field with another limit',
    [{ set: schema('CreateApplicationRequest/properties/title/maxLength'), to: 300 }],
    schema('CreateApplicationRequest/properties/title'),
    '255',
  ],
  [
    'a limit that nobody gave',
    [{ set: schema('UpdateParticipantRequest/properties/name/maxLength'), to: 80 }],
    schema('UpdateParticipantRequest/properties/name'),
    'maxLength of name',
  ],
  [
    'a surplus field of an answer',
    [{ set: schema('Webhook/properties/created_by'), to: text }],
    schema('Webhook/properties/created_by'),
    'data.created_by',
  ],
  [
    'a given field of an answer that is renamed',
    [{ move: schema('Property/properties/floor'), to: schema('Property/properties/storey') }],
    PROPERTY,
    'data.property.floor',
  ],
  [
    'a surplus field of an error',
    [{ set: schema('Error/properties/code'), to: text }],
    schema('Error/properties/code'),
    'code',
  ],
  [
    'an error code that is an error of another kind',
    [{ set: `${GET}/responses/403`, to: answer('403') }],
    GET,
    'getApplication 403',
  ],
  [
    'a status that is not among those given for the operation',
    [{ set: `${REMOVE}/responses/422`, to: answer('422') }],
    REMOVE,
    'removeParticipant 422',
  ],
  ['a given status that is missing', [{ remove: `${REMOVE}/responses/409` }], REMOVE, '409'],
  [
    'a surplus header',
    [{ set: `${GET}/responses/200/headers/X-Rate-Limit`, to: { description: 'A limit.', schema: { type: 'string' } } }],
    GET,
    'X-Rate-Limit',
  ],
  [
    'a surplus parameter',
    [
      {
        set: `${PROPERTY}/parameters/-`,
        to: { name: 'page', in: 'query', description: 'A page.', schema: { type: 'string' }, example: '1' },
      },
    ],
    PROPERTY,
    'query page',
  ],
  ['a given parameter that is missing', [{ remove: `${KYC}/parameters/0` }], KYC, 'path tenantId'],
  ['another kind of security', [{ set: `${GET}/security`, to: [{ clientCredentials: [] }] }], GET, 'HTTP bearer'],
  [
    'a surplus state',
    [{ set: schema('ForensicProcessingStatus/enum/-'), to: 'COMPLETED' }],
    schema('ForensicProcessingStatus'),
    'ForensicProcessingStatus',
  ],
  ['an untold iframe event', [{ set: `${KYC}/description`, to: 'Starts.' }], KYC, 'KYC_USER_EXIT'],
  ['a given event that is missing', [{ remove: `${HOOK}/callbacks/EID_SUCCESS` }], '/paths', 'EID_SUCCESS'],
  [
    'a surplus event',
    [{ set: `${HOOK}/callbacks/EID_FAILURE`, to: { '{$request.body#/url}': { post: { responses: {} } } } }],
    `${HOOK}/callbacks/EID_FAILURE`,
    'EID_FAILURE',
  ],
  ['an event without a signature', [{ remove: `${EVENT}/post/parameters/2` }], HOOK, 'webhook-signature'],
  [
    'a surplus field of an event',
    [{ set: schema('EidSuccessEvent/properties/at'), to: text }],
    schema('EidSuccessEvent'),
    'at is not',
  ],
  ['another version prefix', [{ set: '/servers/0/url', to: 'https://api.example/api/v2' }], '/servers', '/api/v1'],
  ['a mark that is missing', [{ remove: schema('Email/x-open-point') }], schema('Email'), 'maxLength'],
];

const CALLER_ADDRESS = schema('InitiateEidRequest/properties/redirect_url');
const RUN = '/paths/~1tenants~1run-forensic~1{tenantId}/get';

/** Marks that come or go where others stay, all of the rule `contract/open-points-placed`. */
const displaced: [string, Edit[], string, string][] = [
  [
    'a mark that is gone from an answer',
    [{ remove: `${RUN}/responses/200/x-open-point` }],
    `${RUN}/responses/200`,
    'runForensic/responses/200 has lost the mark success-status',
  ],
  [
    'a mark that is gone from a field',
    [{ remove: `${CALLER_ADDRESS}/x-open-point` }],
    CALLER_ADDRESS,
    'has lost the mark caller-addresses',
  ],
  ['a mark that is gone from a server', [{ remove: '/servers/0/x-open-point' }], '/servers/0', 'server-addresses'],
  [
    'one of two marks that is gone',
    [{ set: `${KYC}/x-open-point`, to: ['tenant-errors'] }],
    KYC,
    'initiateKyc has lost the mark iframe-message',
  ],
  [
    'a mark that is gone with its place',
    [{ remove: schema('Webhook/properties/last_triggered_at') }],
    '/info',
    'schemas/Webhook/properties/last_triggered_at has lost the mark last-triggered-at',
  ],
  [
    'a mark more',
    [{ set: `${REMOVE}/responses/409/x-open-point`, to: ['lead-removal-status', 'request-id'] }],
    `${REMOVE}/responses/409`,
    'removeParticipant/responses/409 has gained the mark request-id',
  ],
];

const asFaults = (rule: string, some: typeof ungiven) =>
  some.map(([what, edits, pointer, says]): (typeof faults)[number] => [what, edits, rule, pointer, says]);

const cases = [
  ...faults,
  ...asFaults('contract/given', ungiven),
  ...asFaults('contract/open-points-placed', displaced),
];

describe('The lint of the contract', () => {
  let folder: string;
  let problems: Problem[][];
  const file = (index: number) => join(folder, `case-${index}.yaml`);

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'lint-'));
    for (const [index, [, edits]] of cases.entries()) writeFileSync(file(index), textOf(editedContract(...edits)));
    const { status, said, complained } = lint(
      '--format=json',
      '--max-problems=100000',
      'openapi.yaml',
      ...cases.keys().map(file),
    );
    expect(status, said).to.equal(1);
    // Redocly writes one JSON document for each file, in the order of the files.
    problems = said.split(/(?<=^\})(?=\{$)/m).map((report) => JSON.parse(report).problems);
    expect(problems, complained).to.have.lengthOf(cases.length + 1);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('passes the contract', () => {
    expect(problems[0]).to.deep.equal([]);
  });

  for (const [index, [what, , rule, pointer, says = '']] of cases.entries())
    it(`finds ${what}, and where (${rule})`, () => {
      const found = (problems[index + 1] ?? []).filter(({ ruleId }) => ruleId === rule);
      const there = found.filter(({ location }) => location.some((place) => place.pointer.startsWith(`#${pointer}`)));
      expect(there.map(({ message }) => message).join('\n'), JSON.stringify(found, null, 1)).to.include(says).and.not.be
        .empty;
      expect(there[0]?.location[0]?.start.line).to.be.above(0);
    });

  it('fails for what is no YAML', () => {
    writeFileSync(file(0), 'openapi: 3.0.3\n paths: {');
    const { status, said } = lint(file(0));
    expect(status, said).not.to.equal(0);
  });

  function lint(...args: string[]) {
    const run = spawnSync(process.execPath, ['scripts/lint.ts', ...args], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    return { status: run.status, said: run.stdout, complained: run.stderr };
  }
});

describe('The ledger of open points', () => {
  const contract = (...edits: Edit[]) => new Contract(editedContract(...edits));
  const original = readFileSync(join(root, 'docs/open-points.md'), 'utf8');
  const faultsOf = (given: Contract, written?: string) =>
    ledger(given, written)
      .map(({ pointer, message }) => `${pointer} ${message}`)
      .join('\n');

  it('has a row for every open point that the contract marks', () => {
    const marked = contract({ set: schema('Error/x-open-point'), to: 'error-colour' });
    expect(faultsOf(marked))
      .to.include(`#${schema('Error')}`)
      .and.include('error-colour');
  });

  it('has no row for what the contract does not mark', () => {
    expect(faultsOf(contract({ remove: schema('Email/x-open-point') }))).to.include('email-length is marked nowhere');
  });

  it('keeps apart what was decided outside the contract', () => {
    expect(faultsOf(contract({ set: `${REMOVE}/x-open-point`, to: 'wrong-method' }))).to.include('wrong-method');
  });

  it('says of each point what is open, the choice, why, and a file that exists', () => {
    expect(faultsOf(contract(), original.replace('| 409 |', '|  |'))).to.include('lead-removal-status');
    expect(faultsOf(contract(), original.replace('`http/bind.ts`', '`http/gone.ts`'))).to.include('http/gone.ts');
    expect(faultsOf(contract(), original.replace('`success-status`', '`Success_Status`'))).to.include('Success_Status');
  });
});
