import { S3ServiceException } from '@aws-sdk/client-s3';
import { codeOf, Overloaded, ProviderUnavailable } from '../../core/errors.ts';

/** Maps expected refusals to undefined. @throws ProviderUnavailable for all others, Overloaded */
export async function unless<Answer>(
  isForeseen: (refusal: S3ServiceException) => boolean,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof S3ServiceException && isForeseen(error)) return undefined;
    throw error instanceof Overloaded ? error : unavailable(error);
  }
}

export function isAbsent({ name, $metadata }: S3ServiceException): boolean {
  return $metadata.httpStatusCode === 404 && name !== 'NoSuchBucket';
}

/** The precondition failed, a concurrent request conflicts, or the server does not support conditions. */
export function isConditionRefused({ $metadata }: S3ServiceException): boolean {
  return [412, 409, 501].includes($metadata.httpStatusCode ?? 0);
}

/** Transient: the server is overloaded or failing, or the connection broke. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return !(error instanceof Overloaded);
  const status = error.$metadata.httpStatusCode ?? 0;
  return status === 429 || (status >= 500 && status !== 501);
}

/** Drops the original error, whose log entry would reveal object keys. */
export function unavailable(error: unknown): ProviderUnavailable {
  return new ProviderUnavailable(`The bucket of DOCUMENT_STORE cannot be used just now (${faultOf(error)}).`);
}

function faultOf(error: unknown): string {
  if (error instanceof S3ServiceException) return refusalOf(error);
  return error instanceof Error ? codeOf(error) || error.name : String(error);
}

/** A HEAD response has no body to explain its status. */
function refusalOf({ name, $metadata, $response }: S3ServiceException): string {
  const status = $metadata.httpStatusCode ?? 0;
  const code = name === 'Unknown' || /^\d+$/.test(name) ? `status ${status}` : name;
  const region: unknown = $response?.headers?.['x-amz-bucket-region'];
  const isElsewhere = [301, 307, 400].includes(status) && typeof region === 'string';
  return isElsewhere ? `${code}: the bucket is in the region ${region}; see S3_REGION` : code;
}
