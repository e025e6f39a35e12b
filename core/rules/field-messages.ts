/** What a value of each format looks like. */
const FORMATS: Record<string, string> = {
  email: 'an e-mail address, such as mara.lindt@mail.example',
  uri: 'an absolute address, such as https://letting.example/back',
  uuid: 'a UUID, such as 7a1e0c56-2b9d-4f6e-9d3c-8e5f4a3b2c1d',
  'date-time': 'a date and time, such as 2026-03-01T09:30:00Z',
  date: 'a date, such as 2026-03-01',
};

const TYPES: Record<string, string> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

/**
 * The messages of invalid fields, per keyword of JSON Schema. Each gets what the validator names after the keyword: a limit, a format, the
 * types or the allowed values.
 */
export const FIELD_MESSAGES: Record<string, (detail: string) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a field of this request',
  columnOfFile: () => 'is not a field',
  type: (types) =>
    `must be ${types
      .split(',')
      .map((type) => TYPES[type] ?? type)
      .join(' or ')}`,
  format: (format) => `must be ${FORMATS[format] ?? `a valid ${format}`}`,
  enum: (values) => (values ? `must be one of ${values}` : 'must be one of the allowed values'),
  minLength: (limit) => (limit === '1' ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: (limit) => `must have at most ${limit} characters`,
  minItems: (limit) => (limit === '1' ? 'must not be empty' : `must have at least ${limit} items`),
  maxItems: (limit) => `must have at most ${limit} items`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  minProperties: (limit) => (limit === '1' ? 'must not be empty' : `must have at least ${limit} fields`),
  storableText: () => 'must not hold NUL or half a surrogate pair',
};

/** Where the detail is in the validator's own message. */
const DETAIL =
  /^must (?:be equal to one of the allowed values:? ?(?<values>.*)|match format "(?<format>.+)"|be (?:[<>]=? )?(?<value>\S+)|NOT have (?:more|fewer) than (?<limit>\d+) .*)$/s;

/** A message of ours, without its full stop. @param raw the validator's own */
export function fieldMessage(keyword: string, raw = ''): string {
  const { values, format, value, limit } = DETAIL.exec(raw)?.groups ?? {};
  return FIELD_MESSAGES[keyword]?.(values ?? format ?? value ?? limit ?? '') ?? 'is not valid';
}
