import type { SchemaObject } from 'ajv';
import { InvalidArgumentError } from 'commander';
import { contractSchema, readContract } from '../../../core/contract.ts';
import type { FieldError } from '../../../core/errors.ts';
import { readBySchema as bySchema } from '../../../core/schema.ts';
import type { EventName } from '../../../db/webhooks/events.ts';

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
  return bySchema(schema, value, { unknownField: 'columnOfFile' });
}

/** Reads an e-mail address. @throws InvalidArgumentError, which commander reports as a usage error */
export function parseEmail(text: string): string {
  const read = readBySchema<string>(contractSchema('Email'), text);
  if ('value' in read) return read.value;
  throw new InvalidArgumentError(`It ${read.faults.map(({ message }) => message).join(' and ')}.`);
}
