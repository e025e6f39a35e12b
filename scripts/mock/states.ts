import { namedExamples } from '../../harness/contract/named-examples.ts';

type NamedExample = (typeof namedExamples)[number];

/** A state shared by this many operations is listed once. */
const SHARED_FROM = 3;

const HEAD = ['| Operation | States |', '|---|---|'];

/** The states in the contract: a row of names for each operation, after the shared ones. */
export function statesTable(): string {
  const sharers = Object.groupBy(namedExamples, keyOf);
  const isShared = (example: NamedExample) => (sharers[keyOf(example)]?.length ?? 0) >= SHARED_FROM;
  const shared = Object.values(sharers).flatMap((examples = []) => examples.filter(isShared).slice(0, 1));
  const byOperation = Object.entries(Object.groupBy(namedExamples, ({ operation }) => operation.operationId));
  return [
    ...HEAD,
    row('Several operations', shared),
    ...byOperation.map(([operationId, examples = []]) =>
      row(
        `[${operationId}](../../openapi.yaml#${operationId})`,
        examples.filter((example) => !isShared(example)),
      ),
    ),
    '',
  ].join('\n');
}

/** The names behind their status, successes first. */
function row(title: string, examples: NamedExample[]): string {
  const byStatus = Object.groupBy(examples, ({ status }) => status);
  const states = Object.entries(byStatus).map(
    ([status, ofStatus = []]) => `${status}: ${ofStatus.map(({ name }) => `\`${name}\``).join(', ')}`,
  );
  return `| ${title} | ${states.join('; ')} |`;
}

function keyOf({ status, name, summary }: NamedExample): string {
  return `${status} ${name} ${summary}`;
}
