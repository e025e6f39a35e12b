import fc from 'fast-check';
import type { ContractOperation } from '../../harness/contract/contract.ts';
import { expectRefused, fail } from './answers.ts';
import { type Asked, askedOf, callOf, schemeOf, usual } from './asked.ts';
import { badBasic, badTokens } from './bad-credentials.ts';
import { type Property, property } from './property.ts';

const valid = { path: 'valid', body: 'valid' };
const nothing: Asked = { parameters: {}, body: undefined, spelling: usual };

/** 401 with a challenge, whatever else is wrong with the request. Covers each bad credential at least once. */
export function refusesBadCredentials(operation: ContractOperation): Property {
  const scheme = schemeOf(operation);
  const table = scheme === 'Basic' ? badBasic : badTokens;
  const names = Object.keys(table);
  const made = fc.record({
    name: fc.constantFrom(...names),
    asked: fc.oneof(fc.constant(nothing), askedOf(operation)),
    path: fc.constantFrom(valid.path, '%zz', 'absent', '%00'),
    body: fc.constantFrom(valid.body, '', '{', '[]', '\0', `{"title":"${'a'.repeat(200_000)}`),
  });
  const head = { about: operation.operationId, title: `${operation.operationId} refuses bad credentials`, cases: 60 };
  const examples = names.map((name) => ({ name, asked: nothing, ...valid }));
  return property(
    head,
    made,
    async (world, { name, asked, path, body }) => {
      const call = callOf(operation, asked, { ...world.stage }, world.owner);
      const headers = (table[name]?.(world) ?? []).map((value): [string, string] => ['authorization', value]);
      const exchange = await world.send({
        ...call,
        path: path === valid.path || !operation.template.includes('{') ? call.path : withLastStep(call.path, path),
        headers: [...headers, ...call.headers.filter(([header]) => header !== 'authorization')],
        ...(body === valid.body ? {} : { body: Buffer.from(body) }),
      });
      if (exchange.answer.status !== 401) fail(`401 for ${name}`, exchange);
      expectRefused(operation, 401, '', exchange);
      const challenge = String(exchange.answer.headers['www-authenticate'] ?? '');
      if (!challenge.startsWith(`${scheme} realm=`))
        fail(`401 for ${name} with WWW-Authenticate: ${scheme}; it is ${challenge || 'missing'}`, exchange);
    },
    examples,
  );
}

function withLastStep(path: string, step: string): string {
  return path.replace(/(?<=\/)[^/]*(?=\?|$)/, step);
}
