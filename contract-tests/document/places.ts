/** Places of the contract that the tests of the lint and of the gate edit, as JSON pointers (RFC 6901). */
export const TOKEN = '/paths/~1authenticate~1token';
export const CREATE = '/paths/~1applications~1create-application/post';
export const GET = '/paths/~1applications~1{applicationId}/get';
export const REMOVE = '/paths/~1applications~1{applicationId}~1participants~1{email}/delete';
export const KYC_PATH = '/paths/~1tenants~1initiate-kyc~1{tenantId}';
export const KYC = `${KYC_PATH}/get`;
export const WORKSPACES = '/paths/~1property-management~1workspaces';
export const PROPERTY = '/paths/~1property-management~1properties~1{property_id}/get';
export const HOOK = '/paths/~1webhooks~1create-webhook/post';
export const EVENT = `${HOOK}/callbacks/EID_SUCCESS/{$request.body#~1url}`;

/** A place below a schema of the contract. */
export const schema = (...steps: string[]) => ['/components/schemas', ...steps].join('/');

/** A field that nobody asked for. */
export const text = { type: 'string', description: 'A text.' };
