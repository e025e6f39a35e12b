import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { addTenant } from '../../../db/applications/tenants.ts';
import type { Client } from '../../../harness/service/client.ts';
import type { RouteRequest } from '../../../harness/service/every-route.ts';
import { invitationPath, submit } from '../../../harness/service/links.ts';
import type { TestService } from '../../../harness/service/service.ts';
import { addDocuments, storingDocuments } from '../../../jobs/documents/add-document.ts';

/** More than the kernel buffers of a connection, so that a copy that no one reads stays open. */
const LARGE_BYTES = 24 * 2 ** 20;

/** A person who has accepted an invitation. */
export interface Applicant {
  path: string;
  email: string;
  keyId: string;
}

export async function acceptedBy(test: TestService, landlord: Client, name: string): Promise<Applicant> {
  const email = `${name}@applicants.example`;
  const tenants = [
    { email: `lead-of-${email}`, is_lead: true },
    { email, is_lead: false },
  ];
  const { application_id } = (await landlord.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
  const path = await invitationPath(test, application_id, email);
  const { status } = await submit(test, path, { answer: 'accept' });
  if (status !== 303) throw new Error(`An invitation was not accepted: ${status}.`);
  const application = await test.service.runtime.db('applications').where({ id: application_id }).first('api_key_id');
  return { path, email, keyId: application?.api_key_id ?? '' };
}

/** All of them have the same large document. */
export async function giveLargeDocument({ service }: TestService, applicants: readonly Applicant[]): Promise<void> {
  const { runtime } = service;
  const document = { name: 'long.pdf', content: Readable.from([randomBytes(LARGE_BYTES)]) };
  await storingDocuments(runtime, [document], async (trx, stored) => {
    for (const { email, keyId } of applicants) {
      const { tenant } = await addTenant(trx, { email, name: 'Guest' }, new Date());
      const of = { tenant_id: tenant.id, api_key_id: keyId };
      await addDocuments(trx, runtime.queue, of, stored, 'operator', new Date());
    }
  });
}

/** @param content ASCII only */
export function uploadOf({ path }: Applicant, content: string): RouteRequest {
  const boundary = 'bench-boundary';
  const part = (about: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${about}\r\n\r\n${value}\r\n`;
  return {
    ...{ name: 'upload', owner: 'key', method: 'POST', path: `${path}/documents` },
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${part('name="type"', 'payslip')}${part('name="file"; filename="file.pdf"', content)}--${boundary}--\r\n`,
  };
}

export function copyOf({ path }: Applicant): RouteRequest {
  return { name: 'copy', owner: 'key', method: 'POST', path: `${path}/data/copy`, headers: {} };
}
