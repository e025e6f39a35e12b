import { ValidationError } from '../../core/errors.ts';
import type { ContractOperation } from '../../harness/contract/contract.ts';
import { type NamedExample, namedExamples } from '../../harness/contract/named-examples.ts';

/** The `Prefer` header that makes the mock answer with an example. */
export function preferOf({ status, name }: NamedExample): string {
  return status === 200 ? `example=${name}` : `code=${status}, example=${name}`;
}

/**
 * The example that `Prefer` asks for, as in `code=404, example=notFound` (RFC 7240); without it, the first success.
 * @throws ValidationError that lists the examples there are
 */
export function preferredExample({ operationId }: ContractOperation, prefer = ''): NamedExample {
  const value = (name: string) => new RegExp(`(?:^|[,;\\s])${name}="?([\\w-]+)`, 'i').exec(prefer)?.[1];
  const [code, name] = [value('code'), value('example')];
  const all = namedExamples.filter(({ operation }) => operation.operationId === operationId);
  const ofStatus = all.filter(({ status }) => code === undefined || String(status) === code);
  if (ofStatus.length === 0)
    throw absent(
      operationId,
      `status ${code}`,
      all.map(({ status }) => status),
    );
  const found = ofStatus.find((example) => name === undefined || example.name === name);
  if (found) return found;
  const where = code === undefined ? operationId : `${operationId} ${code}`;
  throw absent(
    where,
    `example ${name}`,
    ofStatus.map((example) => example.name),
  );
}

function absent(where: string, what: string, present: unknown[]): ValidationError {
  return new ValidationError([], `Prefer: ${where} has no ${what}; it has ${[...new Set(present)].join(', ')}.`);
}
