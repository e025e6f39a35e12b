/** The two operations of openapi.yaml in Fastify's terms. */
const text = { type: 'string' };
const moment = { type: 'string', format: 'date-time' };
const email = { type: 'string', format: 'email', maxLength: 254 };

const refusal = object({ status: text, message: text });

const participant = object({
  name: text,
  email,
  consent_status: { type: 'string', enum: ['pending', 'accepted', 'rejected'] },
  onboarding_status: { type: 'string', enum: ['COMPLETED', 'PENDING', 'OUTDATED'] },
  id: { type: 'string', nullable: true },
});

const application = object({
  application_id: text,
  title: text,
  participants: { type: 'array', items: participant },
  created_at: moment,
  updated_at: moment,
});

export const getApplication = {
  params: object({ applicationId: text }),
  response: { 200: answer(application), 401: refusal, 404: refusal },
};

export const createApplication = {
  body: object({
    title: { type: 'string', maxLength: 255 },
    tenants: {
      type: 'array',
      minItems: 1,
      maxItems: 5,
      items: object({ email, is_lead: { type: 'boolean', default: false } }, ['email']),
    },
  }),
  response: { 200: answer(object({ application_id: text, title: text })), 400: refusal, 401: refusal },
};

function answer(data: object): object {
  return object({ status: text, message: text, data });
}

function object(properties: Record<string, object>, required = Object.keys(properties)): object {
  return { type: 'object', additionalProperties: false, required, properties };
}
