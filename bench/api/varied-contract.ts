import type { Contract, Operation } from '../../core/contract.ts';

/** Changes of the contract that do not touch get-application, to measure what they cost it. */
export const variants = ['as it is', 'first', 'last', '100 more'] as const;
export type Variant = (typeof variants)[number];

const ID = 'getApplication';
const MORE = 100;

/** Paths that a router must distinguish from the measured one, each in a different way. */
const shapes = [
  (number: number) => `/more-${number}/things`,
  (number: number) => `/more-${number}/{applicationId}`,
  (number: number) => `/applications/{applicationId}/more-${number}`,
  (number: number) => `/more/things/{applicationId}/${number}`,
];

/** @throws when the contract has no get-application any more */
export function varied(contract: Contract, variant: Variant): Contract {
  const measured = contract.operations.find(({ id }) => id === ID);
  if (!measured) throw new Error(`The contract has no ${ID}.`);
  const others = contract.operations.filter((operation) => operation !== measured);
  if (variant === 'first') return ordered(contract, [measured, ...others]);
  if (variant === 'last') return ordered(contract, [...others, measured]);
  return variant === '100 more' ? withMore(contract, measured) : contract;
}

/** With the paths in the order of the operations. */
function ordered(contract: Contract, operations: Operation[]): Contract {
  const places = new Map(operations.map(({ path }, place) => [path, place]));
  const byPlace = (a: string, b: string) => (places.get(a) ?? 0) - (places.get(b) ?? 0);
  const paths = Object.entries(contract.document.paths).sort(([a], [b]) => byPlace(a, b));
  return { ...contract, operations, document: { ...contract.document, paths: Object.fromEntries(paths) } };
}

/** In front of all others, where a linear search meets them first. */
function withMore(contract: Contract, measured: Operation): Contract {
  const { document, operations } = contract;
  const numbers = Array.from({ length: MORE }, (_, number) => number);
  const paths = numbers.flatMap((number) => shapes[number % shapes.length]?.(number) ?? []);
  const described = document.paths[measured.path] ?? {};
  const more = Object.fromEntries(paths.map((path) => [path, structuredClone(described)]));
  return {
    ...contract,
    operations: [...paths.map((path) => ({ ...measured, path })), ...operations],
    document: { ...document, paths: { ...more, ...document.paths } },
  };
}
