import { ProviderUnavailable } from '../../core/errors.ts';

/** What the disk answers, without its errors: they show paths, and are logged. @throws ProviderUnavailable */
export async function onDisk<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    throw withoutPath(error);
  }
}

/** Only what the system itself refused; everything else stays as it is. */
export function withoutPath(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  return new ProviderUnavailable(`The documents in DATA_DIR cannot be used just now (${error.code}).`);
}
