import { isDeepStrictEqual } from 'node:util';
import { request } from 'undici';
import { readConfig } from '../../core/settings/config.ts';
import { disconnect, open } from '../../db/connection/connect.ts';
import { QUEUE_TABLE } from '../../harness/database/queue.ts';
import type { Caller, Prepared } from './prepared.ts';
import type { Server } from './server.ts';
import { settings } from './settings.ts';

interface Asked {
  what: string;
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  isAnonymous?: boolean;
  /** Only servers that validate refuse it. */
  isInvalid?: boolean;
}

const CREATE = '/applications/create-application';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const title = 'Flat on Calle de Alcalá 42';
const tenants = [
  { email: 'Ana.Gil@mail.example', is_lead: true },
  { email: 'ben@mail.example', is_lead: false },
  { email: 'cleo@mail.example', is_lead: false },
];
const sameTenants = [...tenants].reverse().map(({ email, is_lead }) => ({ email: email.toUpperCase(), is_lead }));

function conversation([caller, other]: readonly Caller[]): Asked[] {
  const create = { method: 'POST', path: CREATE } as const;
  const read = (id: string | undefined) => ({ method: 'GET', path: `/applications/${id}` }) as const;
  return [
    ...(caller?.applicationIds.slice(0, 3) ?? []).map((id) => ({ what: 'a read', ...read(id) })),
    { what: 'a read without a token', ...read(caller?.applicationIds[0]), isAnonymous: true },
    { what: 'a read of what is not there', ...read(NOBODY) },
    { what: 'a read of what another key has', ...read(other?.applicationIds[0]) },
    { what: 'a creation without a token', ...create, body: { title, tenants }, isAnonymous: true },
    { what: 'a creation', ...create, body: { title, tenants } },
    { what: 'a creation for the same people', ...create, body: { title: 'Another', tenants: sameTenants } },
    { what: 'no address', ...create, body: { title, tenants: [{ email: 'ana', is_lead: true }] }, isInvalid: true },
    { what: 'an unknown field', ...create, body: { title, tenants, color: 'red' }, isInvalid: true },
    {
      what: 'two leads',
      ...create,
      body: { title, tenants: tenants.map(({ email }) => ({ email, is_lead: true })) },
      isInvalid: true,
    },
  ];
}

/**
 * Checks that all servers do the same: equal status, media type and JSON, and equal rows. Ids, times and secrets may differ. For
 * refused input only the status is compared, because each server words its errors differently.
 * @throws naming the first server that differs from the first of all
 */
export async function checkSameness(prepared: Prepared, servers: readonly Server[]): Promise<void> {
  const did = await Promise.all(
    servers.map(async (server) => ({ server, answers: await converse(prepared, server), rows: await written(server) })),
  );
  const [model] = did;
  for (const { server, answers, rows } of did) {
    const expected = model?.answers.filter(({ isInvalid }) => server.program.validates || !isInvalid) ?? [];
    for (const [place, answer] of expected.entries())
      same(`${server.program.name}, ${answer.what}`, answers[place], answer);
    for (const table of Object.keys({ ...rows, ...model?.rows }))
      same(`${server.program.name}, rows of ${table}`, rows[table], model?.rows[table]);
  }
}

function same(what: string, given: unknown, expected: unknown): void {
  if (isDeepStrictEqual(given, expected)) return;
  const [shown, wanted] = [given, expected].map((value) => JSON.stringify(value, null, 1));
  throw new Error(`${what}: ${shown}\nbut the first of them: ${wanted}`);
}

async function converse(prepared: Prepared, { url, program }: Server) {
  const asked = conversation(prepared.callers).filter(({ isInvalid }) => program.validates || !isInvalid);
  const answers = [];
  const created = new Set<unknown>();
  for (const { what, method, path, body, isAnonymous = false, isInvalid = false } of asked) {
    const answer = await request(url + path, {
      method,
      headers: {
        ...(isAnonymous ? {} : { authorization: `Bearer ${prepared.callers[0]?.token}` }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const json = await answer.body.json();
    if (what.startsWith('a creation') && answer.statusCode === 200) created.add(idOf(json));
    const mediaType = String(answer.headers['content-type']).split(';')[0];
    const said = isInvalid ? '' : method === 'POST' ? lasting(json) : JSON.stringify(json);
    answers.push({ what, isInvalid, status: answer.statusCode, mediaType, said: said && JSON.parse(said) });
  }
  if (created.size !== 1) throw new Error(`${program.name} does not give the same people the same application.`);
  return answers;
}

function idOf(json: unknown): unknown {
  const data = typeof json === 'object' && json !== null && 'data' in json ? json.data : undefined;
  return typeof data === 'object' && data !== null && 'application_id' in data ? data.application_id : undefined;
}

/** The rows left by the conversation, table by table: one application and everything that belongs to it. */
async function written({ databaseUrl }: Server): Promise<Record<string, unknown[]>> {
  const { database } = readConfig(settings(databaseUrl, ''));
  const db = await open(database, { readOnly: true });
  try {
    const application = await db('applications').where({ title });
    const ids = application.map(({ id }) => id);
    const people = await db('participants').whereIn('application_id', ids);
    const invites = await db('invites');
    const jobs: unknown[] = await db(QUEUE_TABLE[database.dialect]);
    const all = {
      applications: application,
      participants: people,
      invites,
      // The service sends jobs for an application that turns out to exist, too; no worker can claim them.
      jobs: jobs.filter((job) => invites.some(({ id }) => JSON.stringify(job).includes(id))),
      audit_entries: await db('audit_entries'),
    };
    return Object.fromEntries(
      Object.entries(all).map(([table, rows]) => [table, rows.map((row) => JSON.parse(lasting(row))).sort(byText)]),
    );
  } finally {
    await disconnect(db);
  }
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

/** As JSON without what is new each time. */
function lasting(value: unknown): string {
  return JSON.stringify(value, (key, part) => (key === 'token_hash' || key === 'sealed_token' ? typeof part : part))
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<moment>');
}
