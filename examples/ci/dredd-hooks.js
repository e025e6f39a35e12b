/**
 * Hooks for Dredd: they play every answer that the contract declares against a sandbox, and check each one against its schema.
 * Nothing needs to be installed but Dredd. Environment: BASE_URL, CLIENT_ID, CLIENT_SECRET; optionally WORKSPACE_ID and PROPERTY_ID
 * (default: the demo's, which are the contract's examples) and CONTRACT (default: openapi.json beside this file).
 */
const { randomUUID } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const hooks = require('hooks');

const { BASE_URL, CLIENT_ID, CLIENT_SECRET, CONTRACT = join(__dirname, 'openapi.json') } = process.env;
for (const [name, value] of Object.entries({ BASE_URL, CLIENT_ID, CLIENT_SECRET }))
  if (!value) throw new Error(`Set ${name}; see the guide "Contract tests in your CI".`);

const contract = JSON.parse(readFileSync(CONTRACT, 'utf8'));
/** With this client id or access token, the sandbox answers 500. */
const SERVER_ERROR = 'server-error';
const FORMATS = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^[a-z][a-z\d+.-]*:\S+$/i,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
};
const CHECKED = [
  ...['type', 'nullable', 'enum', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'],
  ...['items', 'required', 'properties', 'additionalProperties', 'minProperties'],
];
const IGNORED = ['description', 'default', 'example', 'title'];

const undone = new Set(operations().flatMap(({ operation }) => answersOf(operation)));
let token;

hooks.beforeAll((_transactions, done) => {
  signIn().then(done, (error) => {
    console.error(`error: the sandbox gave no token: ${error.message}`);
    process.exit(1);
  });
});
hooks.beforeEach((transaction, done) => finish(transaction, prepare(transaction), done));
hooks.afterEach((transaction, done) => finish(transaction, check(transaction), done));
// With one parameter, an exception fails the run.
hooks.afterAll((_transactions) => {
  if (undone.size > 0)
    throw new Error(`Declared by the contract, but not seen as declared: ${[...undone].join(', ')}.`);
});

/** Dredd ignores rejections, so failures are written into the transaction. */
function finish(transaction, step, done) {
  const failed = (error) => {
    transaction.fail = error.message;
  };
  step.catch(failed).finally(done);
}

async function signIn() {
  const { data } = await call('POST', '/authenticate/token', { authorization: basic(CLIENT_ID, CLIENT_SECRET) });
  token = data.access_token;
}

/** Sets up the state and the request that lead to the transaction's status. */
async function prepare(transaction) {
  const { operation, template, status } = subjectOf(transaction);
  const { path, body } = requestFor(operation.operationId, template, status, await newStage());
  const url = new URL(BASE_URL + path);
  // The pathname of a URL keeps a malformed escape sequence as it is.
  Object.assign(transaction, {
    host: url.hostname,
    port: url.port,
    protocol: url.protocol,
    fullPath: url.pathname + url.search,
  });
  const { headers } = transaction.request;
  if (body !== undefined) transaction.request.body = JSON.stringify(body);
  if (status !== 401) headers.Authorization = authorization(operation.operationId, status);
}

/** People and an application of this transaction alone, so that none depends on what another left behind. */
async function newStage() {
  const name = randomUUID().slice(0, 13);
  // The tags make the sandbox play the person: `registered` is an account, `kyc-verified` a verification without a click.
  const [lead, email] = [`lead-${name}+registered+kyc-verified@mail.example`, `guest-${name}@mail.example`];
  const tenants = [
    { email: lead, is_lead: true },
    { email, is_lead: false },
  ];
  const created = await call('POST', '/applications/create-application', { body: { title: 'Contract test', tenants } });
  const applicationId = created.data.application_id;
  const found = await call('GET', `/applications/${applicationId}`);
  const tenantId = found.data.participants[0].id;
  if (!tenantId) throw new Error('The lead has no account. Is this a sandbox?');
  const { WORKSPACE_ID = example('workspace_id'), PROPERTY_ID = example('property_id') } = process.env;
  return { applicationId, email, lead, tenantId, workspace_id: WORKSPACE_ID, property_id: PROPERTY_ID };
}

/** Bodies that break a rule. An operation without a body gets a malformed path instead. */
const INVALID_BODIES = {
  createApplication: { title: 'No one', tenants: [] },
  updateParticipant: { email: 'somebody.else@mail.example' },
  initiateEid: {},
  createWebhook: {},
};

/** The causes of 401 and 500 are credentials. */
function requestFor(operationId, template, status, stage) {
  const values = { ...stage };
  if (status === 404) for (const name of ['applicationId', 'tenantId', 'property_id']) values[name] = 'absent';
  if (status === 409) values.email = stage.lead;
  const body = status === 400 ? INVALID_BODIES[operationId] : undefined;
  const isMalformed = status === 400 && body === undefined && operationId !== 'getProperty';
  const path = template.replace(/\{(\w+)\}/g, (_, name) => (isMalformed ? '%zz' : encodeURIComponent(values[name])));
  const query = operationId === 'getProperty' && status !== 400 ? `?workspace_id=${values.workspace_id}` : '';
  return { path: path + query, body };
}

function authorization(operationId, status) {
  if (operationId !== 'generateToken') return `Bearer ${status === 500 ? SERVER_ERROR : token}`;
  return basic(status === 500 ? SERVER_ERROR : CLIENT_ID, CLIENT_SECRET);
}

/** Dredd compares the keys of examples only, so each answer is checked again: status, headers, media type and the whole schema. */
async function check(transaction) {
  const { operation, status } = subjectOf(transaction);
  const name = `${operation.operationId} ${status}`;
  if (!transaction.real) throw new Error(`${name}: no answer came`);
  const { statusCode, headers, body = '' } = transaction.real;
  if (Number(statusCode) !== status) throw new Error(`${name}: it was ${statusCode} ${body}`);
  const response = resolved(operation.responses[status]);
  const [mediaType] = Object.keys(response.content);
  const faults = Object.keys(response.headers ?? {})
    .filter((header) => headers[header.toLowerCase()] === undefined)
    .map((header) => `no header ${header}`);
  if (headers['content-type'] !== mediaType)
    faults.push(`Content-Type is ${headers['content-type']}, not ${mediaType}`);
  faults.push(...faultsOf(JSON.parse(body), response.content[mediaType].schema, 'body'));
  if (faults.length > 0) throw new Error(`${name}: ${faults.join('; ')}`);
  undone.delete(name);
}

async function call(method, path, { body, authorization = `Bearer ${token}` } = {}) {
  const response = await fetch(BASE_URL + path, {
    method,
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path} to set the stage: it was ${response.status} ${text}`);
  return JSON.parse(text);
}

/** A transaction's name is `<path> > <summary> > <status> > <media type>`. */
function subjectOf({ name, request }) {
  const [template, , status] = name.split(' > ');
  const found = operations().find((known) => known.template === template && known.method === request.method);
  if (!found) throw new Error(`The contract has no operation for ${name}.`);
  return { operation: found.operation, template, status: Number(status) };
}

function operations() {
  return Object.entries(contract.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, operation]) => ({ template, method: method.toUpperCase(), operation })),
  );
}

function answersOf({ operationId, responses }) {
  return Object.keys(responses).map((status) => `${operationId} ${status}`);
}

/** The contract's example of a parameter. */
function example(name) {
  const parameters = operations().flatMap(({ operation }) => operation.parameters ?? []);
  return parameters.find((parameter) => parameter.name === name).example;
}

function resolved({ $ref, ...node }) {
  return $ref
    ? $ref
        .slice(2)
        .split('/')
        .reduce((found, key) => found[key], contract)
    : node;
}

function basic(user, password) {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** What differs from a schema, one sentence each. Checks the keywords of OpenAPI 3.0 that the contract uses, and no others. */
function faultsOf(value, node, at) {
  const schema = resolved(node);
  const unknown = Object.keys(schema).find((key) => ![...CHECKED, ...IGNORED].includes(key) && !key.startsWith('x-'));
  if (unknown) throw new Error(`${at}: these hooks do not know the keyword ${unknown}.`);
  if (value === null) return schema.nullable ? [] : [`${at} is null`];
  if (schema.type && !hasType(value, schema.type)) return [`${at} is not of type ${schema.type}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is ${JSON.stringify(value)}, none of ${schema.enum}`];
  if (Array.isArray(value)) return ofArray(value, schema, at);
  if (typeof value === 'object') return ofObject(value, schema, at);
  return ofScalar(value, schema, at);
}

function hasType(value, type) {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && !Array.isArray(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function ofScalar(value, { format, minLength = 0, maxLength = Infinity, minimum, maximum }, at) {
  if (typeof value === 'number') return value < minimum || value > maximum ? [`${at} is ${value}: out of range`] : [];
  if (typeof value !== 'string') return [];
  const length = [...value].length;
  if (length < minLength || length > maxLength) return [`${at} has ${length} characters`];
  return format && FORMATS[format] && !FORMATS[format].test(value) ? [`${at} is no ${format}: ${value}`] : [];
}

function ofArray(value, { items = {}, minItems = 0, maxItems = Infinity }, at) {
  const size = value.length < minItems || value.length > maxItems ? [`${at} has ${value.length} items`] : [];
  return [...size, ...value.flatMap((item, index) => faultsOf(item, items, `${at}.${index}`))];
}

function ofObject(value, { required = [], properties = {}, additionalProperties = true, minProperties = 0 }, at) {
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name} is missing`);
  const size = Object.keys(value).length < minProperties ? [`${at} has too few properties`] : [];
  const members = Object.entries(value).flatMap(([name, member]) => {
    if (Object.hasOwn(properties, name)) return faultsOf(member, properties[name], `${at}.${name}`);
    return additionalProperties === false ? [`${at}.${name} is not in the contract`] : [];
  });
  return [...missing, ...size, ...members];
}
