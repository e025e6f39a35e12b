/** Fastify 5 with schemas for requests and responses. */
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { ValidationError } from '../../core/errors.ts';
import { checkRequestedTenants } from '../../core/rules/participants.ts';
import { createdAnswer, foundAnswer, notFound, unauthenticated } from './answers.ts';
import * as schemas from './fastify-schemas.ts';
import type { RequestedApplication } from './new-application.ts';
import { openData } from './open-data.ts';
import { createKeyCheck } from './tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    keyId: string;
  }
}

const data = openData();
const keyOf = createKeyCheck(data);

// Unknown fields are refused, as in the service.
const app = fastify({ logger: false, ajv: { customOptions: { removeAdditional: false, coerceTypes: false } } });
app.decorateRequest('keyId', '');
app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
  const keyId = await keyOf(request.headers.authorization);
  if (keyId === undefined) return reply.code(401).send(unauthenticated);
  request.keyId = keyId;
});
app.setErrorHandler((error, _request, reply) => {
  const isFault = error instanceof ValidationError || (error instanceof Error && 'validation' in error);
  reply.code(isFault ? 400 : 500).send({ status: 'error', message: isFault ? error.message : 'Something went wrong.' });
});

app.get<{ Params: { applicationId: string } }>(
  '/api/v1/applications/:applicationId',
  { schema: schemas.getApplication },
  async (request, reply) => {
    const found = await data.findApplication(request.keyId, request.params.applicationId);
    return found ? foundAnswer(found, new Date()) : reply.code(404).send(notFound);
  },
);

app.post<{ Body: RequestedApplication }>(
  '/api/v1/applications/create-application',
  { schema: schemas.createApplication },
  async (request) => {
    checkRequestedTenants(request.body.tenants);
    return createdAnswer(await data.createApplication(request.keyId, request.body, new Date()));
  },
);

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
