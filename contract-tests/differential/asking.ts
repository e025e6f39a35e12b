import { operationById } from '../../harness/contract/contract.ts';
import { fail } from '../properties/answers.ts';
import { callOf, usual } from '../properties/asked.ts';
import type { Call } from '../properties/curl.ts';
import type { Caller } from '../properties/world.ts';
import type { TwoStacks } from './two-stacks.ts';

/** Sequences of requests, keyed by what they test. */
export type Histories = Record<string, (stacks: TwoStacks) => Promise<void>>;

/** Sends the requests in order. @throws for an unexpected status, or when the two stacks answer differently */
export async function expectStatus(stacks: TwoStacks, status: number, ...calls: Call[]): Promise<void> {
  for (const call of calls) {
    const exchange = await stacks.send(call);
    if (exchange.answer.status !== status) fail(`${status}`, exchange);
  }
}

function asked(caller: Caller, operationId: string, values: Record<string, string> = {}, body?: unknown): Call {
  return callOf(operationById(operationId), { parameters: values, body, spelling: usual }, values, caller);
}

export const authenticate = (caller: Caller) => asked(caller, 'generateToken');
export const list = (caller: Caller) => asked(caller, 'listWorkspaces');
export const get = (caller: Caller, applicationId: string) => asked(caller, 'getApplication', { applicationId });
export const update = (caller: Caller, applicationId: string, email: string, body: object) =>
  asked(caller, 'updateParticipant', { applicationId, email }, body);
export const remove = (caller: Caller, applicationId: string, email: string) =>
  asked(caller, 'removeParticipant', { applicationId, email });
export const create = (caller: Caller, title: string, tenants: object[]) =>
  asked(caller, 'createApplication', {}, { title, tenants });
export const propertyOf = ({ stage }: TwoStacks, caller: Caller) => asked(caller, 'getProperty', { ...stage });

export async function tokenOf(stacks: TwoStacks, caller: Caller): Promise<string> {
  const { answer } = await stacks.send(authenticate(caller));
  return JSON.parse(answer.text).data.access_token;
}
