import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';

const PREFIX = '/scalar';

/**
 * Scalar's bundle for browsers, as the public way of its smallest package hands it out: a server in memory is asked for the
 * file. See decision 10.
 * @throws when the package no longer serves it
 */
export async function scalarBundle(): Promise<Buffer> {
  const server = fastify();
  await server.register(scalar, { routePrefix: PREFIX, configuration: { content: {} }, logLevel: 'silent' });
  const answer = await server.inject(`${PREFIX}/js/scalar.js`);
  await server.close();
  if (answer.statusCode !== 200) throw new Error(`Scalar's bundle is not there: ${answer.statusCode}.`);
  return answer.rawPayload;
}
