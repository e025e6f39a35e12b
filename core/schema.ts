import { Ajv, type ErrorObject, type SchemaObject } from 'ajv';
import formats from 'ajv-formats';
import { writtenFault } from './addresses/written-fault.ts';
import type { FieldError } from './errors.ts';
import { fieldMessage } from './messages.ts';
import { didYouMean } from './rules/near-miss.ts';
import { isStorableText } from './text.ts';

/**
 * Validates requests, responses and the values on the command line. Formats are checked in full and nothing is coerced, as strictly as by
 * clients that check our responses. The schemas themselves are checked when the contract is generated.
 */
function validator(allErrors: boolean): Ajv {
  const ajv = new Ajv({
    strict: false,
    allErrors,
    useDefaults: true,
    // An error names the schema around an unknown field, for the names beside it.
    verbose: true,
    validateSchema: false,
    meta: false,
  });
  formats.default(ajv);
  ajv.addKeyword({
    keyword: 'storableText',
    type: 'string',
    validate: (_schema: unknown, text: string) => isStorableText(text),
  });
  return ajv;
}

const validators = { everyFault: validator(true), firstFault: validator(false) };

/** Many more than any operation of the contract takes. */
const MAX_SIBLINGS = 1_000;

interface Reading {
  /** The message for a field that the schema does not declare. */
  unknownField?: string;
  /** How many faults are named. With a limit, only the first fault of a very wide value is: finding 50,000 takes a tenth of a second. */
  maxFaults?: number;
}

/** The value with its type, or its faults, each with its dotted path and without a full stop. Compiles a schema on first use. */
export function readBySchema<Shape>(
  schema: SchemaObject,
  value: unknown,
  { unknownField = 'additionalProperties', maxFaults }: Reading = {},
): { value: Shape } | { faults: FieldError[] } {
  const ajv = validators[maxFaults !== undefined && isWide(value) ? 'firstFault' : 'everyFault'];
  const validate = ajv.compile<Shape>(schema);
  if (validate(value)) return { value };
  const errors = validate.errors ?? [];
  return { faults: errors.slice(0, maxFaults).map((error) => faultOf(error, unknownField)) };
}

/** Whether a value has so many fields and items that each could be at fault. Depth alone costs nothing: no schema follows it. */
function isWide(root: unknown): boolean {
  let siblings = 0;
  const waiting = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const children: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (children.length > 1) siblings += children.length;
    if (siblings > MAX_SIBLINGS) return true;
    for (const child of children) waiting.push(child);
  }
  return false;
}

function faultOf({ instancePath, keyword, params, parentSchema, data }: ErrorObject, unknownField: string): FieldError {
  const path = (name: string) => `${instancePath}${name}`.slice(1).replaceAll('/', '.');
  if (keyword === 'required') return { field: path(`/${params['missingProperty']}`), message: fieldMessage(keyword) };
  const written = keyword === 'format' ? writtenFault(params['format'], data) : undefined;
  if (keyword !== 'additionalProperties') return { field: path(''), message: written ?? fieldMessage(keyword, params) };
  const name: string = params['additionalProperty'];
  const question = didYouMean(name, Object.keys(parentSchema?.['properties'] ?? {}));
  return { field: path(`/${name}`), message: fieldMessage(unknownField) + (question && `.${question}`) };
}
