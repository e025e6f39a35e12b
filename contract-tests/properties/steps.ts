import { expect } from 'chai';
import type fc from 'fast-check';
import { type ContractOperation, operationById } from '../../harness/contract/contract.ts';
import { expectDeclared, fail } from './answers.ts';
import { callOf, usual } from './asked.ts';
import { settled } from './beyond-schema.ts';
import {
  type Accounts,
  type Application,
  find,
  haveSamePeople,
  type NewTenant,
  newApplication,
  summaryOf,
  viewOf,
} from './model.ts';
import type { Caller, Exchange, World } from './world.ts';

/** The applications that must exist, oldest first. */
interface Model {
  applications: Application[];
  accounts: Accounts;
}

/** The service, and the identifiers that it issued. */
interface Real {
  world: World;
  owner: Caller;
  outsider: Caller;
  ids: string[];
}

/** A call by the owner or a stranger, and its effect on the model. */
export type Step = fc.AsyncCommand<Model, Real>;

/** Stands for an absent application. */
export const ABSENT = 11;

/** Stands for the address of the one account. */
export const ACCOUNT = 'account';

export function create(made: unknown, people: string[]): Step {
  return step(`create ${people}`, async (model, real) => {
    const addresses = people.map((email) => ({ email: addressOf(real, email), is_lead: false }));
    const once = addresses.filter(
      ({ email }, index) => addresses.findIndex((other) => same(other.email, email)) === index,
    );
    const operation = operationById('createApplication');
    const body = { ...Object(made), ...Object(settled(operation, { tenants: once })) };
    const tenants: NewTenant[] = body.tenants;
    const now = real.world.tick();
    const exchange = await call(real, operation, {}, body, false);
    const { message, data } = Object(expectDeclared(operation, 200, exchange));
    const existing = model.applications.findIndex((application) => haveSamePeople(application, tenants));
    if (existing < 0) {
      model.applications.push(newApplication(body.title, tenants, now));
      real.ids.push(data.application_id);
    }
    const index = existing < 0 ? model.applications.length - 1 : existing;
    const shown = { application_id: real.ids[index], title: model.applications[index]?.title };
    expectShown(exchange, shown, data);
    if (/already exists/.test(message) !== existing >= 0)
      fail(existing < 0 ? 'a new application' : 'the existing one', exchange);
  });
}

export function get(which: number, foreign: boolean): Step {
  return step(`get ${which}`, async (model, real) => {
    const { application, values } = pick(model, real, which);
    const operation = operationById('getApplication');
    const exchange = await call(real, operation, values, undefined, foreign);
    if (foreign || !application) expectDeclared(operation, 404, exchange);
    else expectApplication(operation, exchange, values, summaryOf(application, model.accounts));
  });
}

export function update(which: number, email: string, body: unknown, foreign: boolean): Step {
  return step(`update ${email} of ${which}`, async (model, real) => {
    const { application, values } = pick(model, real, which, email);
    const operation = operationById('updateParticipant');
    const now = real.world.tick();
    const exchange = await call(real, operation, values, body, foreign);
    const found = foreign ? undefined : application && find(application, values.email);
    if (!application || !found) return void expectDeclared(operation, 404, exchange);
    const { name = found.name, is_guarantor = found.isGuarantor } = Object(body);
    if (name !== found.name || is_guarantor !== found.isGuarantor) application.updatedAt = now;
    Object.assign(found, { name, isGuarantor: is_guarantor });
    expectApplication(operation, exchange, values, viewOf(application, model.accounts));
  });
}

export function remove(which: number, email: string, foreign: boolean): Step {
  return step(`remove ${email} of ${which}`, async (model, real) => {
    const { application, values } = pick(model, real, which, email);
    const operation = operationById('removeParticipant');
    const now = real.world.tick();
    const exchange = await call(real, operation, values, undefined, foreign);
    const found = foreign ? undefined : application && find(application, values.email);
    if (!application || !found) return void expectDeclared(operation, 404, exchange);
    if (found.isLead) return void expectDeclared(operation, 409, exchange);
    application.people = application.people.filter((other) => other !== found);
    application.updatedAt = now;
    expectApplication(operation, exchange, values, viewOf(application, model.accounts));
  });
}

/** Whether a tenant may be addressed: only while they take part in an application of the key. */
export function ofTenant(operationId: string, foreign: boolean): Step {
  return step(operationId, async (model, real) => {
    const { tenantId, lead } = real.world.stage;
    const takesPart = model.applications.some((application) => find(application, lead));
    const operation = operationById(operationId);
    const exchange = await call(real, operation, { tenantId }, undefined, foreign);
    expectDeclared(operation, takesPart && !foreign ? 200 : 404, exchange);
  });
}

function step(name: string, run: (model: Model, real: Real) => Promise<void>): Step {
  return { check: () => true, run, toString: () => name };
}

function pick(model: Model, { ids, world }: Real, which: number, email = '') {
  const index = which === ABSENT ? ids.length : which % Math.max(ids.length, 1);
  const values = { applicationId: ids[index] ?? 'absent', email: email === ACCOUNT ? world.stage.lead : email };
  return { application: model.applications[index], values };
}

function addressOf({ world }: Real, email: string): string {
  return email === ACCOUNT ? world.stage.lead : email;
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function call(
  { world, owner, outsider }: Real,
  operation: ContractOperation,
  values: Record<string, string>,
  body: unknown,
  foreign: boolean,
) {
  return world.send(callOf(operation, { parameters: {}, body, spelling: usual }, values, foreign ? outsider : owner));
}

function expectApplication(
  operation: ContractOperation,
  exchange: Exchange,
  { applicationId }: { applicationId: string },
  shown: object,
): void {
  const { data } = Object(expectDeclared(operation, 200, exchange));
  expectShown(exchange, { application_id: applicationId, ...shown }, data);
}

function expectShown(exchange: Exchange, shown: object, data: unknown): void {
  try {
    expect(data).to.deep.equal(shown);
  } catch {
    fail(`200 with ${JSON.stringify(shown)}`, exchange);
  }
}
