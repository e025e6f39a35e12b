import { parseDocument } from 'yaml';

type Node = Record<string, unknown>;

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of a map; none for any other value. */
export function membersOf(value: unknown): [string, unknown][] {
  return isNode(value) ? Object.entries(value) : [];
}

export function pointerTo(parent: string, key: string): string {
  return `${parent}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The keys that a JSON pointer or a local reference goes through. */
export function stepsOf(pointer: string): string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The keys of a path that are operations. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** A contract whose nodes know where they are written: `pointerOf` gives `#/components/...` for the target of a reference. */
export class Contract {
  readonly root: Node;
  readonly #pointers = new Map<object, string>();

  /**
   * @throws ContractError for content that tools read differently or not at all: a bad reference, keys beside one, a merge key
   */
  constructor(root: Node) {
    this.root = root;
    this.#index(root, '#');
    for (const [node, pointer] of this.#pointers) {
      const fault = isNode(node) ? this.#faultOf(node) : undefined;
      if (fault) throw new ContractError(`${pointer}: ${fault}`);
    }
  }

  get version(): string {
    return isNode(this.root['info']) ? String(this.root['info']['version']) : '';
  }

  /** Resolves a reference; returns any other value unchanged. */
  resolve(value: unknown): unknown {
    return isNode(value) && typeof value['$ref'] === 'string' ? this.resolve(this.#target(value['$ref'])) : value;
  }

  pointerOf(value: unknown): string | undefined {
    return typeof value === 'object' && value !== null ? this.#pointers.get(value) : undefined;
  }

  #index(value: unknown, pointer: string): void {
    if (typeof value !== 'object' || value === null) return;
    this.#pointers.set(value, pointer);
    for (const [key, child] of Object.entries(value)) this.#index(child, pointerTo(pointer, key));
  }

  #faultOf(node: Node): string | undefined {
    const { $ref: reference, ...beside } = node;
    if ('<<' in node) return 'write out what `<<` stands for; not every tool merges keys';
    if (typeof reference !== 'string') return undefined;
    const [key] = Object.keys(beside);
    if (key !== undefined) return `${key} beside the reference ${reference} counts for nothing: take it out`;
    const passed = new Set<unknown>();
    let at = this.#target(reference);
    if (at === undefined) return `the reference ${reference} leads nowhere`;
    while (isNode(at) && typeof at['$ref'] === 'string' && !passed.has(at)) {
      passed.add(at);
      at = this.#target(at['$ref']);
    }
    return passed.has(node) ? `the reference ${reference} leads back to itself` : undefined;
  }

  #target(reference: string): unknown {
    if (!reference.startsWith('#/')) return undefined;
    return stepsOf(reference).reduce<unknown>((value, key) => (isNode(value) ? value[key] : undefined), this.root);
  }
}

/** An unreadable contract; the message names the place. */
export class ContractError extends Error {}

/** @throws ContractError unless the text is YAML and reads as an OpenAPI document whose references all lead somewhere */
export function parseContract(name: string, text: string): Contract {
  const parsed = parseDocument(text);
  const [problem] = parsed.errors;
  if (problem) throw new ContractError(`${name}: ${problem.message}`);
  const root: unknown = parsed.toJS();
  if (!isNode(root) || typeof root['openapi'] !== 'string' || !isNode(root['paths']) || !isNode(root['info']))
    throw new ContractError(`${name}: not an OpenAPI document; it needs openapi, info and paths`);
  try {
    return new Contract(root);
  } catch (error) {
    throw error instanceof ContractError ? new ContractError(`${name}: ${error.message}`) : error;
  }
}
