import type { error as validatorErrors } from 'express-openapi-validator';
import { writtenFault } from '../../core/addresses/written-fault.ts';
import type { FieldError } from '../../core/errors.ts';
import { FIELD_MESSAGES } from '../../core/messages.ts';
import { didYouMean } from '../../core/rules/near-miss.ts';
import { isRecord } from '../../core/text.ts';

const MAX_FIELD_ERRORS = 20;

/** Where the validator's message contains the detail of ours. */
const DETAIL =
  /^must (?:be equal to one of the allowed values:? ?(?<values>.*)|match format "(?<format>.+)"|be (?:[<>]=? )?(?<value>\S+)|NOT have (?:more|fewer) than (?<limit>\d+) .*)$/s;

type Findings = Pick<InstanceType<typeof validatorErrors.BadRequest>, 'errors'>;

/** The validator's findings in our words. @param operation the contract's, with its references */
export function fieldErrorsOf(
  { errors }: Findings,
  document: unknown,
  operation: unknown,
  request: unknown,
): FieldError[] {
  return errors.slice(0, MAX_FIELD_ERRORS).map(({ path, message, errorCode }) => {
    const field = dottedPath(path);
    if (!errorCode) return { field, message: 'must be percent-encoded.' };
    const [keyword = ''] = errorCode.split('.');
    const { values, format, value, limit } = DETAIL.exec(message)?.groups ?? {};
    const written = keyword === 'format' ? writtenFault(format, valueAt(request, path)) : undefined;
    if (written !== undefined) return { field, message: `${written}.` };
    const plain = `${FIELD_MESSAGES[keyword]?.(values ?? format ?? value ?? limit ?? '')}.`;
    if (keyword !== 'additionalProperties') return { field, message: plain };
    const name = field.slice(field.lastIndexOf('.') + 1);
    return { field, message: plain + didYouMean(name, fieldsBeside(document, operation, field)) };
  });
}

/** @param path such as `/body/tenants/0/email` */
function valueAt(request: unknown, path: string): unknown {
  const steps = path.split('/').slice(1);
  return steps.reduce(
    (found: unknown, step) => (isRecord(found) || Array.isArray(found) ? Reflect.get(found, step) : undefined),
    request,
  );
}

/** Maps `/body/tenants/0/email` to the field `tenants.0.email`; the body as a whole is `body`. */
function dottedPath(path: string): string {
  return path
    .replace(/^\/?(body|query|params|headers)\//, '')
    .replace(/^\//, '')
    .replaceAll('/', '.');
}

/** The fields of an object in the body, by the dotted path of one. The validator has not resolved the references. */
function fieldsBeside(document: unknown, operation: unknown, field: string): string[] {
  const resolved = (schema: unknown): Record<string, unknown> => {
    const reference = isRecord(schema) && schema['$ref'];
    if (typeof reference !== 'string') return isRecord(schema) ? schema : {};
    const parts = reference.split('/').slice(1);
    return resolved(parts.reduce((found: unknown, part) => (isRecord(found) ? found[part] : undefined), document));
  };
  const [media] = Object.values(resolved(resolved(resolved(operation)['requestBody'])['content']));
  const parents = field.split('.').slice(0, -1);
  const parent = parents.reduce(
    (schema, part) => resolved(schema['items'] ?? resolved(schema['properties'])[part]),
    resolved(resolved(media)['schema']),
  );
  return Object.keys(resolved(parent['properties']));
}
