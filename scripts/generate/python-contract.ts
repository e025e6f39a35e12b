/** Python types of the contract's schemas, and a method for each operation. */
import type { Contract, Json, JsonObject } from '../../site/contract.ts';
import { listOf, objectOf } from '../../site/json.ts';
import { type CalledOperation, inOneLine } from './called-operations.ts';

export function pythonContract(
  header: string,
  { tree, events }: Contract,
  operations: readonly CalledOperation[],
): string {
  const schemas = Object.entries(objectOf(objectOf(tree['components'])['schemas']));
  const nested: string[] = [];
  const types = schemas.map(([name, schema]) => declaration(name, objectOf(schema), nested));
  return `# ${header}
"""The contract's types, and a method for each operation."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

${[...nested, ...types].join('\n\n')}

EVENTS = (${events.map(({ name }) => `"${name}"`).join(', ')})
ScreeningEvent: TypeAlias = "${schemas.flatMap(([name]) => (name.endsWith('Event') ? [name] : [])).join(' | ')}"


class Operations:
    """One method per operation. Each returns the whole response: \`\`status\`\`, \`\`message\`\` and \`\`data\`\`."""

    def _send(self, method: str, path: str, params: dict[str, str], body: object = None) -> Any:
        raise NotImplementedError

${operations.map(methodOf).join('\n')}`;
}

/** Objects become typed dictionaries, other schemas names for a type. Objects in objects are declared before, in \`nested\`. */
function declaration(name: string, schema: JsonObject, nested: string[]): string {
  const { properties, description } = schema;
  if (!isRecord(schema)) return `${name}: TypeAlias = "${typeOf(name, schema, nested)}"`;
  const required = listOf(schema['required'] ?? []);
  const fields = Object.entries(objectOf(properties ?? {})).map(([field, value]) => {
    const type = typeOf(`${name}${pascal(field)}`, objectOf(value), nested);
    return `    ${field}: ${required.includes(field) ? type : `NotRequired[${type}]`}`;
  });
  return [`class ${name}(TypedDict):`, `    """${inOneLine(String(description))}"""\n`, ...fields, ''].join('\n');
}

function isRecord({ type, properties }: JsonObject): boolean {
  return type === 'object' && Object.keys(objectOf(properties ?? {})).length > 0;
}

function typeOf(name: string, schema: JsonObject, nested: string[]): string {
  const { $ref: reference, nullable } = schema;
  if (typeof reference === 'string') return reference.split('/').at(-1) ?? '';
  if (nullable === true && schema['minProperties'] === 1) return 'None';
  return `${ownType(name, schema, nested)}${nullable === true ? ' | None' : ''}`;
}

function ownType(name: string, schema: JsonObject, nested: string[]): string {
  const { type, enum: values, items } = schema;
  if (values !== undefined)
    return `Literal[${listOf(values)
      .map((value: Json) => `'${value}'`)
      .join(', ')}]`;
  if (type === 'array') return `list[${typeOf(`${name}Item`, objectOf(items), nested)}]`;
  // Further fields of an object have no type here.
  if (isRecord(schema)) {
    nested.push(declaration(name, schema, nested));
    return name;
  }
  return { string: 'str', boolean: 'bool', integer: 'int', number: 'float' }[String(type)] ?? 'dict[str, Any]';
}

function methodOf({ id, method, path, description, params, body, answer }: CalledOperation): string {
  const given = ['self', ...params.map(({ name }) => `${snake(name)}: str`), ...(body ? [`body: ${body}`] : [])];
  const passed = params.map(({ name }) => `"${name}": ${snake(name)}`).join(', ');
  const text = description
    .map((paragraph) => `        ${paragraph.replaceAll('\n', '\n        ')}`)
    .join('\n\n')
    .trimStart();
  return `    def ${snake(id)}(${given.join(', ')}) -> ${answer}:
        """${text}"""
        return self._send("${method}", "${path}", {${passed}}${body ? ', body' : ''})
`;
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
