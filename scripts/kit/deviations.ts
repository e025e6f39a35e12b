/** Answers that the service never gives, each a deviation from the contract that a contract test must find. */

export interface PlantedAnswer {
  status: number;
  headers: Record<string, string>;
  /** Undefined when the body is no JSON object. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies are changed in ways that no type allows
  body: any;
}

export interface Deviation {
  title: string;
  operation: string;
  status: number;
  plant(answer: PlantedAnswer): void;
}

const deviation = (
  title: string,
  operation: string,
  status: number,
  plant: (answer: PlantedAnswer) => void,
): Deviation => ({ title, operation, status, plant });

export const deviations: readonly Deviation[] = [
  deviation('a token type of another case', 'generateToken', 200, ({ body }) => {
    body.data.token_type = 'bearer';
  }),
  deviation('a lifetime as text', 'generateToken', 200, ({ body }) => {
    body.data.expires_in = '3600';
  }),
  deviation('no title', 'createApplication', 200, ({ body }) => {
    delete body.data.title;
  }),
  deviation('an undeclared field', 'createApplication', 200, ({ body }) => {
    body.data.extra_id = 7;
  }),
  deviation('201 instead of 200', 'createApplication', 200, (answer) => {
    answer.status = 201;
  }),
  deviation('roles where none are declared', 'getApplication', 200, ({ body }) => {
    for (const person of body.data.participants) person.is_lead = false;
  }),
  deviation('an undeclared consent status', 'getApplication', 200, ({ body }) => {
    for (const person of body.data.participants) person.consent_status = 'PENDING';
  }),
  deviation('a moment that is no date-time', 'getApplication', 200, ({ body }) => {
    body.data.created_at = 'yesterday';
  }),
  deviation('no updated_at', 'getApplication', 200, ({ body }) => {
    delete body.data.updated_at;
  }),
  deviation('participants without roles', 'updateParticipant', 200, ({ body }) => {
    for (const person of body.data.participants) delete person.is_guarantor;
  }),
  deviation('a body that is no JSON', 'updateParticipant', 200, (answer) => {
    answer.body = undefined;
  }),
  deviation('participants null', 'removeParticipant', 200, ({ body }) => {
    body.data.participants = null;
  }),
  deviation('no verification_url', 'initiateKyc', 200, ({ body }) => {
    delete body.data.verification_url;
  }),
  deviation('the link under another name', 'initiateEid', 200, ({ body }) => {
    body.data = { link: body.data.verification_link };
  }),
  deviation('an undeclared processing status', 'runForensic', 200, ({ body }) => {
    body.data.processing_status = 'COMPLETED';
  }),
  deviation('a boolean as text', 'runForensic', 200, ({ body }) => {
    body.data.added_to_queue = String(body.data.added_to_queue);
  }),
  deviation('403 instead of 401', 'listWorkspaces', 401, (answer) => {
    answer.status = 403;
  }),
  deviation('an error without its message', 'listWorkspaces', 401, ({ body }) => {
    delete body.message;
  }),
  deviation('a house number as text', 'getProperty', 200, ({ body }) => {
    body.data.property.street_number = '42';
  }),
  deviation('HTML', 'createWebhook', 200, ({ headers }) => {
    headers['content-type'] = 'text/html';
  }),
  deviation('no X-Request-Id', 'createWebhook', 200, ({ headers }) => {
    delete headers['x-request-id'];
  }),
  deviation('an undeclared webhook status', 'createWebhook', 200, ({ body }) => {
    body.data.status = 'enabled';
  }),
];
