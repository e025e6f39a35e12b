import { type ContractOperation, checkAnswer } from '../../harness/contract/contract.ts';
import { described } from '../../harness/process/failures.ts';
import { expectRefusal } from '../edge/requests.ts';
import type { Exchange } from './world.ts';

/** Fails with the expected and the actual answer. */
export function fail(expected: string, { answer }: Exchange): never {
  throw new Error(`expected: ${expected}\ncame: ${described(answer)}`);
}

/** Expects the status, and an answer as the contract declares it. @returns the body */
export function expectDeclared(operation: ContractOperation, status: number, exchange: Exchange): unknown {
  const { answer } = exchange;
  if (answer.status !== status) fail(`${status}`, exchange);
  try {
    checkAnswer(operation, status, String(answer.headers['content-type'] ?? ''), answer.text);
  } catch (error) {
    fail(`${status} as declared (${error instanceof Error ? error.message : error})`, exchange);
  }
  if (!answer.headers['x-request-id']) fail(`${status} with X-Request-Id`, exchange);
  return JSON.parse(answer.text);
}

/** Expects a refusal in the common envelope that names the field, if there is one. */
export function expectRefused(operation: ContractOperation, status: number, field: string, exchange: Exchange): void {
  expectDeclared(operation, status, exchange);
  const { call, answer } = exchange;
  const named = field === '' ? '' : ` that names ${field}`;
  try {
    expectRefusal(`${call.method} ${call.path}`, answer, status);
  } catch {
    fail(`${status} in the common envelope`, exchange);
  }
  const { message, errors = [] }: { message: string; errors?: { field: string }[] } = JSON.parse(answer.text);
  const names =
    field === '' || message.split(' ').includes(`${field}:`) || errors.some((error) => error.field === field);
  if (!names) fail(`${status}${named}`, exchange);
}
