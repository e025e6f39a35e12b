import { S3ServiceException } from '@aws-sdk/client-s3';
import { ProviderUnavailable } from '../../core/errors.ts';

/**
 * Undefined instead of the refusals that are foreseen.
 * @throws ProviderUnavailable for every other
 */
export async function unless<Answer>(
  isForeseen: (refusal: S3ServiceException) => boolean,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof S3ServiceException && isForeseen(error)) return undefined;
    throw unavailable(error);
  }
}

export function isAbsent({ name, $metadata }: S3ServiceException): boolean {
  return $metadata.httpStatusCode === 404 && name !== 'NoSuchBucket';
}

/** It does not hold, somebody else is at it just now, or the server does not know such conditions. */
export function isConditionRefused({ $metadata }: S3ServiceException): boolean {
  return [412, 409, 501].includes($metadata.httpStatusCode ?? 0);
}

/** The server is overloaded or out of order, or the line went dead: another time it may work. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return true;
  const status = error.$metadata.httpStatusCode ?? 0;
  return status === 429 || (status >= 500 && status !== 501);
}

/** Without the error itself: what is logged of it would show the keys of documents. */
export function unavailable(error: unknown): ProviderUnavailable {
  return new ProviderUnavailable(`The bucket of DOCUMENT_STORE cannot be used just now (${codeOf(error)}).`);
}

function codeOf(error: unknown): string {
  if (error instanceof S3ServiceException) return refusalOf(error);
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.name;
}

/** The answer to a HEAD has no body to say more than its status. */
function refusalOf({ name, $metadata, $response }: S3ServiceException): string {
  const status = $metadata.httpStatusCode ?? 0;
  const code = name === 'Unknown' || /^\d+$/.test(name) ? `status ${status}` : name;
  const region: unknown = $response?.headers?.['x-amz-bucket-region'];
  const isElsewhere = [301, 307, 400].includes(status) && typeof region === 'string';
  return isElsewhere ? `${code}: the bucket is in the region ${region}; see S3_REGION` : code;
}
