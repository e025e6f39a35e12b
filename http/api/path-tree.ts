interface Node<Found> {
  found?: Found;
  children: Map<string, Node<Found>>;
  /** A parameter segment such as `{applicationId}`. */
  any?: Node<Found>;
}

/**
 * Finds the entry for a path in time independent of the number of paths. Segments are compared as sent. Literal segments take precedence
 * over parameters: `/applications/create-application` is not an id (OpenAPI 3.0.3, Paths).
 */
export function createPathTree<Found>() {
  const root: Node<Found> = { children: new Map() };
  return {
    add(template: string, found: Found): void {
      let node = root;
      for (const segment of template.split('/')) node = childOf(node, segment);
      node.found = found;
    },
    find: (path: string): Found | undefined => below(root, path.split('/'), 0)?.found,
  };
}

function childOf<Found>(node: Node<Found>, segment: string): Node<Found> {
  if (segment.startsWith('{')) {
    node.any ??= { children: new Map() };
    return node.any;
  }
  const child = node.children.get(segment) ?? { children: new Map() };
  node.children.set(segment, child);
  return child;
}

function below<Found>(node: Node<Found>, segments: readonly string[], depth: number): Node<Found> | undefined {
  const segment = segments[depth];
  if (segment === undefined) return node.found === undefined ? undefined : node;
  const child = node.children.get(segment);
  const named = child && below(child, segments, depth + 1);
  if (named || !node.any || segment === '') return named;
  return below(node.any, segments, depth + 1);
}
