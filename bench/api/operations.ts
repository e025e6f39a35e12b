import type { Volley } from './load.ts';
import type { Caller, Prepared } from './prepared.ts';

export type Operation = 'read' | 'create';

export const operations: readonly Operation[] = ['read', 'create'];

export const operationNames: Record<Operation, string> = {
  read: 'get-application, three participants',
  create: 'create-application, three people',
};

let made = 0;

/** One application after the other is read, in turns by each caller. */
export function reads({ callers }: Prepared, count: number): Volley['requests'] {
  return Array.from({ length: count }, (_, index) => {
    const { token, applicationIds } = callerOf(callers, index);
    const id = applicationIds[Math.floor(index / callers.length) % applicationIds.length];
    return { token, method: 'GET', path: `/applications/${id}` };
  });
}

/** New applications in turns by each caller, no two of the same people. */
export function creates({ callers }: Prepared, count: number, people = 3): Volley['requests'] {
  return Array.from({ length: count }, (_, index) => {
    const number = ++made;
    const tenants = Array.from({ length: people }, (_, position) => ({
      email: `new-${number}-${position}@mail.example`,
      is_lead: position === 0,
    }));
    const body = JSON.stringify({ title: `Flat ${number} at Gran Vía 7`, tenants });
    return { token: callerOf(callers, index).token, method: 'POST', path: '/applications/create-application', body };
  });
}

export function requestsOf(operation: Operation, prepared: Prepared, count: number): Volley['requests'] {
  return operation === 'read' ? reads(prepared, count) : creates(prepared, count);
}

function callerOf(callers: readonly Caller[], index: number): Caller {
  const caller = callers[index % callers.length];
  if (!caller) throw new Error('No one calls.');
  return caller;
}
