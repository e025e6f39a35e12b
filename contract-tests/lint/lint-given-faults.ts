import {
  type Edit,
  EVENT,
  GET,
  HOOK,
  KYC,
  PROPERTY,
  REMOVE,
  schema,
  text,
} from '../../harness/contract/edited-contract.ts';

const answer = (status: string) => ({
  description: 'An answer.',
  headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
  content: {
    'application/json': {
      schema: { $ref: `#/components/schemas/${status.startsWith('2') ? 'AccessTokenEnvelope' : 'Error'}` },
      examples: { one: { summary: 'One', value: { status: 'error', message: 'No.' } } },
    },
  },
});

/** Deviations from the product document, all reported by the rule `contract/given`. */
export const ungiven: [string, Edit[], string, string][] = [
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
    [{ set: schema('ApplicationDraft/properties/note'), to: text }],
    schema('ApplicationDraft'),
    'note',
  ],
  [
    'a surplus field of an item of a request',
    [{ set: schema('ApplicationDraftTenant/properties/phone'), to: text }],
    schema('ApplicationDraftTenant/properties/phone'),
    'tenants[].phone',
  ],
  [
    'a given field of a request that is missing',
    [{ remove: schema('WebhookRegistration/properties/secret') }],
    HOOK,
    'secret',
  ],
  [
    'a request field with another limit',
    [{ set: schema('ApplicationDraft/properties/title/maxLength'), to: 300 }],
    schema('ApplicationDraft/properties/title'),
    '255',
  ],
  [
    'a limit that no one gave',
    [{ set: schema('ParticipantChanges/properties/name/maxLength'), to: 80 }],
    schema('ParticipantChanges/properties/name'),
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

const CALLER_ADDRESS = schema('EidReturn/properties/redirect_url');
const RUN = '/paths/~1tenants~1run-forensic~1{tenantId}/get';

/** Marks that were added or removed where others remain, all for the rule `contract/open-points-placed`. */
export const displaced: [string, Edit[], string, string][] = [
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

/** Sentences neither given by the product document nor covered by an open point, all for the rule `contract/sentences`. */
export const unsaid: [string, Edit[], string, string][] = [
  [
    'a new sentence of an operation',
    [
      {
        set: `${GET}/description`,
        to: 'Shows an application that was created with the authenticated API key. It is never cached.',
      },
    ],
    GET,
    '"It is never cached." is not in',
  ],
  [
    'a new sentence of a field',
    [{ set: schema('Webhook/properties/id/description'), to: 'Identifier of the webhook. It never changes.' }],
    schema('Webhook/properties/id'),
    '"It never changes." is not in',
  ],
  [
    'a sentence of an open point at a place without its mark',
    [
      {
        set: schema('Webhook/properties/url/description'),
        to: 'It is stored as given and compared case-insensitively.',
      },
    ],
    schema('Webhook/properties/url'),
    'belongs to the open point email-case',
  ],
  [
    'a listed sentence that the contract no longer says',
    [{ set: schema('Webhook/properties/id/description'), to: 'The receiving address, which must accept `POST`.' }],
    '/info',
    'lists "Identifier of the webhook."',
  ],
];
