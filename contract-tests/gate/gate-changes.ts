import {
  CREATE,
  type Edit,
  EVENT,
  GET,
  HOOK,
  KYC_PATH,
  PROPERTY,
  REMOVE,
  schema,
  TOKEN,
  text,
  WORKSPACES,
} from '../../harness/contract/edited-contract.ts';

export const request = (field: string, keyword: string) => schema('ApplicationDraft/properties', field, keyword);
export const application = (...rest: string[]) => schema('ModularApplicationSummary', ...rest);

/** The kind of break, an edit that causes it, and what the message must contain: the place and who is affected. */
export const breaks: [string, Edit[], ...string[]][] = [
  ['a path is removed', [{ remove: WORKSPACES }], `\`#${WORKSPACES}\` is gone`],
  [
    'a path parameter is renamed',
    [{ move: KYC_PATH, to: KYC_PATH.replace('tenantId', 'id') }],
    `\`#${KYC_PATH}\` is gone`,
  ],
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
      { set: schema('ApplicationDraft/required/-'), to: 'note' },
    ],
    'gained "note"',
    'createApplication request',
  ],
  [
    'an optional field of a request becomes required',
    [{ set: schema('WebhookRegistration/required/-'), to: 'secret' }],
    'gained "secret"',
  ],
  ['a field of a request is removed', [{ remove: schema('WebhookRegistration/properties/secret') }], 'secret'],
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
  ['a default changes', [{ set: schema('ApplicationDraftTenant/properties/is_lead/default'), to: true }], 'default'],
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
    [{ remove: `${EVENT}/post/parameters/2` }],
    'header webhook-signature` is gone',
    'EID_SUCCESS',
  ],
  ['a keyword appears that the gate has no rule for', [{ set: request('title', 'not'), to: { enum: [''] } }], '/not`'],
];

export const additions: [string, Edit[]][] = [
  ['an optional field of a request', [{ set: schema('ParticipantChanges/properties/phone'), to: text }]],
  ['a field of an answer', [{ set: application('properties/city'), to: text }]],
  ['an operation', [{ set: `${WORKSPACES}/post`, to: { operationId: 'openWorkspace', responses: {} } }]],
  ['an error status', [{ set: `${GET}/responses/403`, to: { description: 'Forbidden.' } }]],
  ['a header of an answer', [{ set: `${GET}/responses/200/headers/ETag`, to: { schema: text } }]],
  ['an optional parameter', [{ set: `${PROPERTY}/parameters/-`, to: { name: 'at', in: 'query', schema: text } }]],
  ['a wider limit of a request', [{ set: request('title', 'maxLength'), to: 500 }]],
  ['a required field of a request that becomes optional', [{ remove: schema('ApplicationDraft/required/0') }]],
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
  ['a request that takes further fields', [{ set: schema('WebhookRegistration/additionalProperties'), to: true }]],
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

export const wording: [string, Edit[]][] = [
  ['descriptions', [{ set: `${GET}/description`, to: 'In other words.' }]],
  ['summaries', [{ set: `${GET}/summary`, to: 'In other words' }]],
  ['examples', [{ remove: `${CREATE}/requestBody/content/application~1json/examples/single` }]],
  ['open points', [{ remove: `${GET}/x-open-point` }]],
];

/** Changes that affect generated code but not the wire format: the edits, and the gate's message about them. */
export const names: [string, Edit[], ...string[]][] = [
  [
    'a schema is renamed',
    [
      { move: schema('AccessToken'), to: schema('Token') },
      { set: schema('AccessTokenEnvelope/properties/data'), to: { $ref: '#/components/schemas/Token' } },
    ],
    'schema `AccessToken` is now `Token` (generateToken 200)',
  ],
  [
    'a schema without a name gets one',
    [
      { move: schema('KycEnvelope/properties/data'), to: schema('Kyc') },
      { set: schema('KycEnvelope/properties/data'), to: { $ref: '#/components/schemas/Kyc' } },
    ],
    'schema `Kyc` is new (initiateKyc 200)',
  ],
  [
    'an operation has another tag',
    [{ set: `${TOKEN}/post/tags/0`, to: 'Webhooks' }],
    'tag `Authentication` is now `Webhooks` (generateToken)',
  ],
  [
    'the constants of an enum get names',
    [{ set: schema('Success/x-enum-varnames'), to: ['SUCCEEDED'] }],
    'list of constants `SUCCEEDED` is new',
  ],
  [
    'a number alone is said in the other way',
    [{ set: schema('AccessToken/properties/expires_in'), to: { type: 'integer', enum: [3600] } }],
  ],
  [
    'null alone is said in the other way',
    [{ set: schema('EidSuccessEvent/properties/data'), to: { type: 'object', nullable: true, enum: [null] } }],
  ],
];
