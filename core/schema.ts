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
const ajv = new Ajv({
  strict: false,
  allErrors: true,
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

/**
 * The value with its type, or its faults, each with its dotted path and without a full stop. Compiles a schema on first use.
 * @param unknownField the message for a field that the schema does not declare
 */
export function readBySchema<Shape>(
  schema: SchemaObject,
  value: unknown,
  unknownField = 'additionalProperties',
): { value: Shape } | { faults: FieldError[] } {
  const validate = ajv.compile<Shape>(schema);
  if (validate(value)) return { value };
  return { faults: (validate.errors ?? []).map((error) => faultOf(error, unknownField)) };
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
