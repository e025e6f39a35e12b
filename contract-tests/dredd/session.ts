import {
  basePath,
  type ContractOperation,
  checkAnswer,
  operations,
  resolved,
} from '../../harness/contract/contract.ts';
import { described } from '../../harness/process/failures.ts';
import { basicOf } from '../../harness/service/client.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { requestFor, setStage } from '../../harness/service/stage.ts';
import type { Transaction } from './dredd-hooks.ts';
import { bringKeysBack, takeKeysAway } from './outage.ts';

/** A real service under test, and the actions of Dredd's hooks on it. */
export interface Session {
  /** Sets up the state and the request that lead to the transaction's status. */
  prepare(transaction: Transaction): Promise<void>;
  /** Checks the answer strictly. @throws with the differences from the contract */
  check(transaction: Transaction): Promise<void>;
  /** The declared answers that have not been seen yet, as pairs of operation and status. */
  undone(): string[];
  stop(): Promise<void>;
}

export async function startSession(): Promise<Session> {
  const test = await startTestService();
  const undone = new Set(
    operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    ),
  );
  return {
    async prepare(transaction) {
      const { operation, status } = subjectOf(transaction);
      const { path, body } = requestFor(operation, status, await setStage(test));
      const { hostname, port } = new URL(test.service.url);
      Object.assign(transaction, { host: hostname, port, fullPath: `${basePath}${path}` });
      if (body !== undefined) transaction.request.body = JSON.stringify(body);
      if (status !== 401) transaction.request.headers['Authorization'] = authorization(operation, test);
      if (status === 500) await takeKeysAway(test);
    },
    async check(transaction) {
      const { operation, status } = subjectOf(transaction);
      if (status === 500) await bringKeysBack(test);
      if (!transaction.real) throw new Error(`${operation.operationId} ${status}: no answer came`);
      const { statusCode, headers, body = '' } = transaction.real;
      if (statusCode !== status)
        throw new Error(
          `${operation.operationId} ${status}: it was ${described({ status: statusCode, headers, text: body })}`,
        );
      checkAnswer(operation, statusCode, String(headers['content-type']), body);
      for (const name of declaredHeaders(operation, statusCode))
        if (headers[name] === undefined) throw new Error(`${operation.operationId} ${statusCode}: no ${name}`);
      undone.delete(`${operation.operationId} ${statusCode}`);
    },
    undone: () => [...undone],
    stop: () => test.stop(),
  };
}

function subjectOf({ name, request }: Transaction): { operation: ContractOperation; status: number } {
  const [template, , status] = name.split(' > ');
  const operation = operations.find((known) => known.template === template && known.method === request.method);
  if (!operation) throw new Error(`The contract has no operation for ${name}.`);
  return { operation, status: Number(status) };
}

/** The headers that the contract declares for an answer, in lower case. */
function declaredHeaders({ responses }: ContractOperation, status: number): string[] {
  return Object.keys(resolved(responses[status] ?? {}).headers ?? {}).map((name) => name.toLowerCase());
}

function authorization({ operationId }: ContractOperation, { alice }: TestService): string {
  if (operationId !== 'generateToken') return `Bearer ${alice.token}`;
  return `Basic ${basicOf(alice.clientId, alice.clientSecret)}`;
}
