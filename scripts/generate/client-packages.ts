/** What the packages for integrators take from the contract: operations, types and names of events and messages. */
import openapiTypescript, { astToString } from 'openapi-typescript';
import type { Contract } from '../../site/contract.ts';
import { eventsTypes } from '../../site/machine-readable.ts';
import { type CalledOperation, calledOperations, operationAt } from './called-operations.ts';
import { pythonContract } from './python-contract.ts';

const HEADER = 'Generated from openapi.yaml by `npm run generate`. Never edited by hand.';

/** @param yaml where the contract lies */
export async function clientPackages(contract: Contract, yaml: URL): Promise<{ file: string; text: string }[]> {
  const operations = calledOperations(contract);
  const events = contract.events.map(({ name }) => name);
  const messages = kycMessages(contract, events);
  // Fields with a default may be left out of a request.
  const types = astToString(await openapiTypescript(yaml, { defaultNonNullable: false }));
  return [
    { file: 'packages/client/generated/contract.ts', text: `// ${HEADER}\n\n${types}` },
    { file: 'packages/client/generated/operations.ts', text: `// ${HEADER}\n\n${typescriptOperations(operations)}` },
    {
      file: 'packages/webhooks/generated/events.ts',
      text: `// ${HEADER}\n\n${eventsTypes(contract)}\n${listed('EVENTS', events)}`,
    },
    { file: 'packages/kyc-frame/generated/messages.js', text: `// ${HEADER}\n\n${listed('KYC_MESSAGES', messages)}` },
    { file: 'packages/kyc-frame/generated/messages.d.ts', text: `// ${HEADER}\n\n${messageTypes(messages)}` },
    { file: 'packages/python/tenant_screening/contract.py', text: pythonContract(HEADER, contract, operations) },
  ];
}

/** The messages that the description of initiateKyc names, beside the events. */
function kycMessages({ operations, tree }: Contract, events: readonly string[]): string[] {
  const kyc = operations.find(({ operationId }) => operationId === 'initiateKyc');
  const { description } = kyc ? operationAt(tree, kyc.method, kyc.path) : {};
  const named = new Set([...String(description).matchAll(/`(KYC_[A-Z_]+)`/g)].map(([, name = '']) => name));
  return [...named.difference(new Set(events))];
}

function typescriptOperations(operations: readonly CalledOperation[]): string {
  const methods = operations.map(({ id, method, path, description, params, body, answer }) => {
    const fields = params.map(({ name, description: text }) => `/** ${text} */ ${name}: string`).join('; ');
    const given = [params.length > 0 && `params: { ${fields} }`, body && `body: Schemas['${body}']`].filter(Boolean);
    const passed = `{ ${[params.length > 0 && 'params', body && 'body'].filter(Boolean).join(', ')} }`;
    return `  /**
${description.map((paragraph) => `   * ${paragraph.replaceAll('\n', '\n   * ')}\n`).join('   *\n')}   */
  ${id}(${given.join(', ')}): Promise<Schemas['${answer}']> {
    return this.send('${method}', '${path}', ${given.length > 0 ? passed : '{}'});
  }
`;
  });
  return `import type { components } from './contract.ts';

type Schemas = components['schemas'];

/** What a request needs: values for the path or the query, and a body. */
export interface Input {
  params?: Record<string, string>;
  body?: unknown;
}

/** One method per operation. Each returns the whole response: \`status\`, \`message\` and \`data\`. */
export abstract class Operations {
  protected abstract send<Answer>(method: string, path: string, input: Input): Promise<Answer>;

${methods.join('\n')}}
`;
}

function listed(name: string, values: readonly string[]): string {
  return `export const ${name} = [${values.map((value) => `'${value}'`).join(', ')}]${name === 'EVENTS' ? ' as const' : ''};\n`;
}

function messageTypes(messages: readonly string[]): string {
  const union = messages.map((message) => `'${message}'`).join(' | ');
  return `/** What the page in the frame says. */\nexport type KycMessage = ${union};\nexport const KYC_MESSAGES: readonly KycMessage[];\n`;
}
