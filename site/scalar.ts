import scalar from '@scalar/fastify-api-reference';

const PREFIX = '/scalar';

/** A route as the plugin declares it to Fastify, as far as the bundle's needs it. */
interface Route {
  url: string;
  handler(request: undefined, reply: Reply): unknown;
}

interface Reply {
  header(name: string, value: string): Reply;
  send(body: string): string;
}

/**
 * Scalar's bundle for browsers. Its smallest package carries it in a Fastify plugin; a stand-in for the Fastify instance records
 * the plugin's routes, and the route of the bundle hands it out. See decision 10.
 * @throws when the package no longer serves it
 */
export function scalarBundle(): Buffer {
  const routes: Route[] = [];
  // Called as a plain function: with the plugin's own types it would take a whole Fastify instance.
  const plugin: unknown = scalar;
  if (typeof plugin !== 'function') throw new Error("Scalar's plugin is not a function any more.");
  const instance = { initialConfig: {}, hasPlugin: () => false, route: (route: Route) => routes.push(route) };
  plugin(instance, { routePrefix: PREFIX, configuration: { content: {} } }, () => {});
  const reply: Reply = { header: () => reply, send: (body) => body };
  const bundle = routes.find(({ url }) => url === `${PREFIX}/js/scalar.js`)?.handler(undefined, reply);
  if (typeof bundle !== 'string') throw new Error("Scalar's plugin no longer serves its bundle.");
  return Buffer.from(bundle);
}
