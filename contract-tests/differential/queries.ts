import type { Call } from '../properties/curl.ts';
import type { World } from '../properties/world.ts';
import { escaped, goodCalls } from './good-calls.ts';

/** Query strings to prepend to an operation's own parameters. */
const queries = [
  ...[
    '',
    '&',
    '&&&',
    'a',
    'a=',
    '=b',
    'a=1&a=2',
    'a[]=1&a[]=2',
    'a[b][c]=1',
    'a%5Bb%5D=1',
    '%zz',
    'a=%zz',
    '%00=1',
    'a=%00',
  ],
  ...[
    '__proto__=1',
    '__proto__[a]=1',
    'constructor=1',
    'constructor[prototype][a]=1',
    'toString=1',
    'hasOwnProperty=1',
  ],
  ...[
    'length=1',
    'a=:/?@!$()*,;',
    "a='",
    'a=b=c',
    'a+b=c+d',
    'a=%F0%9D%84%9E',
    '?',
    '?a=1',
    ';a=1',
    'email=x',
    'access_token=x',
  ],
  ...['a=1&'.repeat(1100), 'applicationId=x&tenantId=x&property_id=x', `a=${'b'.repeat(3000)}`, '_method=DELETE'],
];

/** Variations of a single query parameter. */
const ownQueries: ((id: string) => string)[] = [
  (id) => `workspace_id=${id}&workspace_id=${id}`,
  (id) => `workspace_id=${id}&workspace_id=`,
  (id) => `workspace_id[]=${id}`,
  (id) => `workspace_id[0]=${id}`,
  (id) => `workspace_id[a]=${id}`,
  // The packages read an unclosed bracket behind the name as a closed one.
  (id) => `workspace_id[=${id}`,
  (id) => `workspace_id[a=${id}`,
  (id) => `workspace_id%5B=${id}`,
  (id) => `workspace_id[=1&workspace_id=${id}`,
  (id) => `workspace_id[[]=${id}`,
  (id) => `workspace_id[a]b=${id}`,
  (id) => `workspace_id]=${id}`,
  (id) => `workspace%5Fid=${id}`,
  (id) => `WORKSPACE_ID=${id}`,
  (id) => `workspace_id =${id}`.replace(' ', '%20'),
  () => 'workspace_id',
  () => 'workspace_id=',
  () => 'workspace_id=1',
  () => 'workspace_id=%zz',
  (id) => `workspace_id=${id}%00`,
  (id) => `workspace_id=${id}%0A`,
  (id) => `workspace_id=%20${id}`,
  (id) => `workspace_id=+${id}`,
  (id) => `workspace_id=${id.toUpperCase()}`,
  (id) => `workspace_id=${id.replaceAll('-', '%2D')}`,
  (id) => `workspace_id=${escaped(id)}`,
  (id) => `workspace_id=${escaped(id).replaceAll('%', '%25')}`,
  (id) => `workspace_id=${id}:/?[]@!$'()*+,;`,
  (id) => `workspace_id=urn:uuid:${id}`,
  (id) => `workspace_id=${id};workspace_id=1`,
  (id) => `${'a=1&'.repeat(1100)}workspace_id=${id}`,
  (id) => `workspace_id=${id}&__proto__=1`,
  (id) => `__proto__[workspace_id]=${id}`,
];

export async function* oddQueries(world: World): AsyncGenerator<Call> {
  let turn = 0;
  for await (const { call, values } of goodCalls(world)) {
    const [path, own] = call.path.split('?');
    turn++;
    // Operations without query parameters share these between them.
    for (const query of queries.filter((_, index) => own || (index + turn) % 4 === 0))
      yield { ...call, path: `${path}?${query}${own ? `&${own}` : ''}` };
    if (own) for (const query of ownQueries) yield { ...call, path: `${path}?${query(values['workspace_id'] ?? '')}` };
    if (own) yield { ...call, path: `${path}` };
  }
}
