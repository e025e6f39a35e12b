import { isNode } from '../gate/document.ts';
import { type Context, entries, type Rule } from './redocly.ts';

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';

/** Schemas, headers, bodies and the rest say what they are; a parameter's schema is described by the parameter. */
export const described: Rule = () => {
  const visitor = (kind: string) => (node: Record<string, unknown>, context: Context) => {
    const ofDescribed = context.key === 'schema' && isNode(context.parent) && isText(context.parent['description']);
    if (!isText(node['description']) && !ofDescribed)
      context.report({ message: `This ${kind} has no description: say in a sentence what it is.` });
  };
  const kinds = ['Schema', 'Header', 'Response', 'RequestBody', 'SecurityScheme', 'Server'];
  return Object.fromEntries(kinds.map((kind) => [kind, visitor(kind)]));
};

/** Every body is JSON with named examples, each with a summary. Redocly's own rules check them against their schemas. */
export const namedExamples: Rule = () => ({
  MediaTypesMap: (types, { report, location }) => {
    for (const type of Object.keys(types))
      if (type !== 'application/json')
        report({ message: `Bodies are application/json; ${type} is not.`, location: location.child([type]) });
  },
  MediaType: ({ examples }, { report }) => {
    if (entries(examples).length === 0)
      report({ message: 'This body has no example: add one below `examples`, with a name, a summary and a value.' });
  },
  Example: ({ summary, value }, { key, report }) => {
    if (!isText(summary) || value === undefined) report({ message: `The example ${key} needs a summary and a value.` });
  },
  Parameter: ({ name, example }, { report }) => {
    if (example === undefined) report({ message: `The parameter ${name} has no example: add one.` });
  },
});

export const openness: Rule = () => ({
  Schema: ({ type, enum: values, additionalProperties }, { report }) => {
    if (type === 'object' && values === undefined && additionalProperties === undefined)
      report({ message: 'This object does not say whether it takes further fields: set additionalProperties.' });
  },
});
