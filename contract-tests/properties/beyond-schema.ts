import fc from 'fast-check';
import type { ContractOperation } from '../../harness/contract/contract.ts';
import type { Break } from './breaks.ts';

/** The rules for bodies that a schema cannot express. */

/** Brings a body that fits the schema into line with the rules beyond it. */
export function settled({ operationId }: ContractOperation, body: unknown): unknown {
  return operationId === 'createApplication' && isCreation(body)
    ? { ...body, tenants: withOneLead(distinct(body.tenants)) }
    : body;
}

/** The rules beyond the schema, each to be broken alone. */
export function rulesOf({ operationId }: ContractOperation): Break[] {
  return rules[operationId] ?? [];
}

interface Tenant {
  email: string;
  is_lead?: boolean;
}

function isCreation(body: unknown): body is { tenants: Tenant[] } {
  return typeof body === 'object' && body !== null && 'tenants' in body && Array.isArray(body.tenants);
}

function distinct(tenants: Tenant[]): Tenant[] {
  const seen = new Set<string>();
  return tenants.map((tenant, index) => {
    const email = seen.has(tenant.email.toLowerCase()) ? `tenant-${index}@mail.example` : tenant.email;
    seen.add(email.toLowerCase());
    return { ...tenant, email };
  });
}

function withOneLead(tenants: Tenant[]): Tenant[] {
  const lead = Math.max(
    0,
    tenants.findIndex(({ is_lead }) => is_lead === true),
  );
  return tenants.map((tenant, index) => {
    if (index === lead) return { ...tenant, is_lead: true };
    return tenant.is_lead ? { ...tenant, is_lead: false } : tenant;
  });
}

const changed = (keyword: string, field: Break['field'], change: (body: { tenants: Tenant[] }) => unknown): Break => ({
  keyword,
  field,
  changes: fc.constant((body) => (isCreation(body) ? change(body) : body)),
});

const another = { email: 'another@mail.example', is_lead: true };

const participants: Break[] = [
  changed('no lead', ['tenants'], (body) => ({
    ...body,
    tenants: body.tenants.map((tenant) => ({ ...tenant, is_lead: false })),
  })),
  changed('two leads', ['tenants'], (body) => ({
    ...body,
    tenants: [another, ...withOneLead(body.tenants.slice(0, 4))],
  })),
  changed('the same address twice', ['tenants', 1, 'email'], (body) => {
    const [first = another] = body.tenants;
    return { ...body, tenants: withOneLead([first, { email: first.email }, ...body.tenants.slice(1, 4)]) };
  }),
  changed('the same address in another case', ['tenants', 1, 'email'], (body) => {
    const [first = another] = body.tenants;
    const swapped = first.email === first.email.toUpperCase() ? first.email.toLowerCase() : first.email.toUpperCase();
    return { ...body, tenants: withOneLead([first, { email: swapped }, ...body.tenants.slice(1, 4)]) };
  }),
];

const unusable = [
  ...['http://10.0.0.5/', 'https://192.168.1.1/hook', 'http://169.254.169.254/latest/meta-data/', 'http://172.16.0.1/'],
  ...[
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://0.0.0.0/',
    'http://printer/',
    'http://nas.local/',
    'http://a.internal/',
  ],
  ...[
    'https://user:secret@letting.example/',
    'https://user@letting.example/',
    'ftp://letting.example/',
    'file:///etc/passwd',
  ],
  ...['javascript:alert(1)', 'mailto:a@mail.example', 'https:///hook', 'https:letting.example', 'http://2852039166/'],
  ...[
    'http://0xa9fea9fe/',
    'http://[::ffff:10.0.0.5]/',
    'http://10.0.0.5./',
    'http://h.example:99999/',
    'http://224.0.0.1/',
  ],
];

const addresses = (field: string): Break[] => [
  {
    keyword: 'an address that cannot be used',
    field: [field],
    changes: fc.constantFrom(...unusable).map((address) => (body) => ({ ...Object(body), [field]: address })),
  },
];

const rules: Record<string, Break[]> = {
  createApplication: participants,
  initiateEid: addresses('redirect_url'),
  createWebhook: addresses('url'),
};
