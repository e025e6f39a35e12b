import { ValidationError } from '../../core/errors.ts';
import { didYouMean } from '../../core/rules/near-miss.ts';
import type { ContractOperation } from '../../harness/contract/contract.ts';
import { type NamedExample, namedExamples } from '../../harness/contract/named-examples.ts';

/** The `Prefer` header that makes the mock answer with an example. */
export function preferOf({ status, name }: NamedExample): string {
  return status === 200 ? `example=${name}` : `code=${status}, example=${name}`;
}

/**
 * The example that `Prefer` asks for, as in `code=404, example=notFound` (RFC 7240); without it, the first success.
 * @throws ValidationError for an invalid header, and one that lists the available examples for an unknown one
 */
export function preferredExample({ operationId }: ContractOperation, prefer = ''): NamedExample {
  const { code, example: name } = readPreferences(prefer);
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

const KNOWN = ['code', 'example'];

function readPreferences(prefer: string): Record<string, string> {
  const parts = prefer.replaceAll(/\s*=\s*/g, '=').split(/[,;\s]+/);
  return Object.fromEntries(
    parts.filter(Boolean).map((part) => {
      const [, name = part.replace(/=.*/, ''), quoted, bare = quoted] =
        /^([^=]+)=(?:"([\w-]+)"|([\w-]+))$/.exec(part) ?? [];
      const known = KNOWN.find((word) => word === name.toLowerCase());
      if (known && bare && (known !== 'code' || /^\d{3}$/.test(bare))) return [known, bare];
      const question = known ? '' : didYouMean(name, KNOWN);
      throw new ValidationError(
        [],
        `Prefer: "${part}" is not understood; send code=404, example=<name>, or both.${question}`,
      );
    }),
  );
}

function absent(where: string, what: string, present: unknown[]): ValidationError {
  return new ValidationError([], `Prefer: ${where} has no ${what}; it has ${[...new Set(present)].join(', ')}.`);
}
