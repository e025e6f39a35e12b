import { Contract, ContractError, isNode, METHODS, stepsOf } from '../gate/document.ts';

/** The part of Redocly's plugin interface that our rules use. */
interface Location {
  child(steps: string[]): Location;
}

export interface Context {
  location: Location;
  key: string | number;
  parent: unknown;
  report(problem: { message: string; location?: Location }): void;
}

type Visit = (node: Record<string, unknown>, context: Context) => void;
export type Rule = () => Record<string, Visit>;

/** The fault, its place and the remedy. */
export interface Finding {
  pointer: string;
  /** The operation, or the part of one, that the place is for; a place that serves several is reported once. */
  where?: string;
  message: string;
}

/** A rule over the whole contract. */
export function overContract(check: (contract: Contract) => Finding[]): Rule {
  return () => ({
    Root: (root, { location, report }) => {
      const same = Map.groupBy(findings(root, check), ({ pointer, message }) => `${pointer} ${message}`);
      for (const [finding, ...others] of same.values()) {
        if (!finding) continue;
        const where = [finding, ...others].flatMap((each) => each.where ?? []).join(', ');
        const message = where ? `${where}: ${finding.message}` : finding.message;
        report({ message, location: location.child(stepsOf(finding.pointer)) });
      }
    },
  });
}

function findings(root: Record<string, unknown>, check: (contract: Contract) => Finding[]): Finding[] {
  try {
    return check(new Contract(root));
  } catch (error) {
    if (error instanceof ContractError) return [{ pointer: '#', message: error.message }];
    throw error;
  }
}

export interface Operation {
  /** Its operationId, or the route of one without. */
  id: string;
  /** `GET /applications/{applicationId}` */
  route: string;
  node: Record<string, unknown>;
  pointer: string;
}

/** The operations that callers send; events are not among them. */
export function operationsOf(contract: Contract): Operation[] {
  return entries(contract.root['paths']).flatMap(([path, item]) =>
    entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, node]) => {
        const route = `${method.toUpperCase()} ${path}`;
        return { id: String(node['operationId'] ?? route), route, node, pointer: contract.pointerOf(node) ?? '#' };
      }),
  );
}

/** The members of a map that are objects themselves. */
export function entries(map: unknown): [string, Record<string, unknown>][] {
  if (!isNode(map)) return [];
  return Object.entries(map).flatMap(([key, value]) => (isNode(value) ? [[key, value]] : []));
}

/** The members of a map with references followed. */
export function resolvedEntries(contract: Contract, map: unknown): [string, Record<string, unknown>][] {
  return entries(map).flatMap(([key, value]) => {
    const target = contract.resolve(value);
    return isNode(target) ? [[key, target]] : [];
  });
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
