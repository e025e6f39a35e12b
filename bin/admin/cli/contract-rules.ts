import { Ajv, type ErrorObject, type SchemaObject } from 'ajv';
import formats from 'ajv-formats';
import { InvalidArgumentError } from 'commander';
import { readContract } from '../../../core/contract.ts';
import type { FieldError } from '../../../core/errors.ts';
import { fieldMessage } from '../../../core/messages.ts';
import { didYouMean } from '../../../core/rules/near-miss.ts';
import { isStorableText } from '../../../core/text.ts';
import type { EventName } from '../../../db/webhooks/events.ts';

/** Values on the command line obey the contract's schemas, validated with the same settings as requests. */
const ajv = new Ajv({ strict: false, allErrors: true, verbose: true });
formats.default(ajv);
ajv.addKeyword({
  keyword: 'storableText',
  type: 'string',
  validate: (_schema: unknown, text: string) => isStorableText(text),
});

/** A schema component of the contract. */
export function contractSchema(name: string): SchemaObject {
  const schema = readContract().document.components.schemas[name];
  if (!schema) throw new Error(`The contract has no schema ${name}.`);
  return schema;
}

/** The example body of an event in the contract. */
export function eventExample(event: EventName): object {
  const callbacks = Object.values(readContract().document.paths).map(({ post }) => post?.callbacks?.[event] ?? {});
  const [callback] = callbacks.flatMap((addresses) => Object.values(addresses));
  const [body] = Object.values(callback?.post.requestBody.content ?? {});
  const [example] = Object.values(body?.examples ?? {});
  if (!example) throw new Error(`The contract shows no example of ${event}.`);
  return example.value;
}

/** The typed value, or the faults of the value, each with its dotted path. */
export function readBySchema<Shape>(schema: SchemaObject, value: unknown): { value: Shape } | { faults: FieldError[] } {
  const validate = ajv.compile<Shape>(schema);
  return validate(value) ? { value } : { faults: (validate.errors ?? []).map(fieldError) };
}

function fieldError({ instancePath, keyword, params, parentSchema, message }: ErrorObject): FieldError {
  const below = (name: string) => `${instancePath}/${name}`.slice(1).replaceAll('/', '.');
  if (keyword === 'required') return { field: below(params['missingProperty']), message: fieldMessage(keyword) };
  if (keyword === 'additionalProperties') {
    const name: string = params['additionalProperty'];
    const question = didYouMean(name, Object.keys(parentSchema?.['properties'] ?? {}));
    return { field: below(name), message: fieldMessage('columnOfFile') + (question && `.${question}`) };
  }
  const raw = keyword === 'enum' ? `${message}: ${params['allowedValues'].join(', ')}` : message;
  return { field: instancePath.slice(1).replaceAll('/', '.'), message: fieldMessage(keyword, raw) };
}

/** Reads an e-mail address. @throws InvalidArgumentError, which commander reports as a usage error */
export function parseEmail(text: string): string {
  const read = readBySchema<string>(contractSchema('Email'), text);
  if ('value' in read) return read.value;
  throw new InvalidArgumentError(`It ${read.faults.map(({ message }) => message).join(' and ')}.`);
}
