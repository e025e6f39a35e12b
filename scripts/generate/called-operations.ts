import type { Contract, JsonObject } from '../../site/contract.ts';
import { listOf, objectOf } from '../../site/json.ts';

/** An operation as a client calls it. */
export interface CalledOperation {
  id: string;
  method: string;
  path: string;
  /** One paragraph per item. */
  description: string[];
  params: { name: string; description: string }[];
  /** The schema of the body; undefined without a body. */
  body: string | undefined;
  /** The schema of the successful response. */
  answer: string;
}

/** All operations but the one that clients call on their own, for a token. */
export function calledOperations({ tree, operations }: Contract): CalledOperation[] {
  const components = objectOf(tree['components']);
  return operations
    .filter(({ operationId }) => operationId !== 'generateToken')
    .map(({ operationId: id, method, path, summary }) => {
      const { description, parameters, requestBody, responses } = operationAt(tree, method, path);
      const params = listOf(parameters ?? []).map((parameter) => {
        const { name, description: text } = resolved(components, objectOf(parameter));
        return { name: String(name), description: inOneLine(String(text)) };
      });
      const answer = schemaOf(objectOf(objectOf(responses)['200']));
      if (answer === undefined) throw new Error(`${id} has a response whose schema has no name.`);
      const paragraphs = String(description).trim().split('\n\n').map(inOneLine);
      const body = requestBody && schemaOf(objectOf(requestBody));
      return { id, method, path, description: [`${summary}.`, ...paragraphs], params, body: body || undefined, answer };
    });
}

export function operationAt(tree: JsonObject, method: string, path: string): JsonObject {
  return objectOf(objectOf(objectOf(tree['paths'])[path])[method.toLowerCase()]);
}

function resolved(components: JsonObject, node: JsonObject): JsonObject {
  const [, , kind, name] = String(node['$ref'] ?? '').split('/');
  return kind && name ? objectOf(objectOf(components[kind])[name]) : node;
}

function schemaOf({ content }: JsonObject): string | undefined {
  const { schema } = objectOf(objectOf(content)['application/json']);
  return String(objectOf(schema)['$ref'] ?? '').split('/')[3];
}

/** Without line breaks, except in a table. */
export function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*(?!\|)/g, ' ');
}
