import { pathOf } from '../properties/asked.ts';
import type { Call } from '../properties/curl.ts';
import type { World } from '../properties/world.ts';
import { escaped, goodCalls, withHeader } from './good-calls.ts';

/** Paths that almost match an operation. */
const respelt: ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `${path}/.`,
  (path) => `${path}/..`,
  (path) => `${path}/more`,
  (path) => `${path}%2F`,
  (path) => `${path};a=b`,
  (path) => `${path}#part`,
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/api/v1', '/API/V1'),
  (path) => path.replace('/api', '/api/'),
  (path) => path.replace('/v1/', '/v1//'),
  (path) => path.replace('/v1/', '/v1/./'),
  (path) => path.replace('/v1/', '/v1/x/../'),
  (path) => path.replace('/v1/', '/v1%2F'),
  (path) => path.replace('/v1/', '/%76%31/'),
  (path) => path.replace('/v1/', '/v1/%'),
  (path) => path.slice(0, -1),
  (path) => `http://elsewhere.example${path}`,
  (path) => `HTTP://A:B@ELSEWHERE.EXAMPLE:81${path}`,
  (path) => `http://elsewhere.example${path}/`,
  (path) => `http://h:99999${path}`,
];

/** Replacements for a path parameter. */
const steps: ((value: string) => string)[] = [
  ...['%zz', '%', 'a%', '%1', '%u0041', '%E0%A4%A', '%c3%28', '%ff', '%ED%A0%80', '%F4%90%80%80', '%c0%80'],
  ...['%00', 'a%00b', '%2e%2e', '%2E', '..', '.', '%2F', 'a%2Fb', '%5C', '+', '%2B', '%20', '%09', '%0A', '%25'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'create-application', 'participants', 'null', '0'],
  ...['{applicationId}', ':id', '*', '(.*)', '!$&()*+,;=:@', '[]', '|', '~', "'%20or%20'1'%3D'1", '%F0%9D%84%9E'],
  ...['a'.repeat(3000), '%C4%B0', '%C3%9F', '%EF%BB%BF'],
].map((step) => () => step);
steps.push(
  (value) => escaped(value),
  (value) => escaped(value, (hex) => hex.toUpperCase()),
  (value) => encodeURIComponent(escaped(value)),
  (value) => encodeURIComponent(encodeURIComponent(value)),
  (value) => value.toUpperCase(),
  (value) => `${value}%20`,
  (value) => `%20${value}`,
  (value) => `${value}%00`,
  (value) => `${value}%2F`,
  (value) => `${value}%3F`,
  (value) => `${value}%2Fparticipants`,
);

/** Each operation at addresses that almost match it. */
export async function* nearTargets(world: World): AsyncGenerator<Call> {
  for await (const { call } of goodCalls(world)) {
    const [path = '', query] = call.path.split('?');
    const tail = query === undefined ? '' : `?${query}`;
    for (const respell of respelt) yield { ...call, path: respell(path) + tail };
    for (const respell of respelt.slice(0, 3))
      yield withHeader({ ...call, path: respell(path) + tail }, 'authorization');
  }
}

/** Each path parameter with other values. */
export async function* oddSteps(world: World): AsyncGenerator<Call> {
  for await (const { call, operation, values } of goodCalls(world))
    for (const [place, name] of operation.template.matchAll(/\{(\w+)\}/g))
      for (const [index, step] of steps.entries()) {
        const template = operation.template.replace(place, () =>
          step(values[String(name)] ?? '').replaceAll('{', '%7B'),
        );
        const odd = { ...call, path: pathOf({ ...operation, template }, values) };
        yield odd;
        if (index % 12 === 0) yield withHeader(odd, 'authorization');
      }
}
