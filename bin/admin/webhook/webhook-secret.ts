import { OperatorError } from '../cli/faults.ts';
import { readSecretFile } from '../cli/given-file.ts';

/** A secret that an integrator chose. @throws OperatorError when there is none, or the contract would not take it */
export async function readWebhookSecret(file: string): Promise<string> {
  const { secret } = await readSecretFile(file);
  const { contractSchema, readBySchema } = await import('../cli/contract-rules.ts');
  const schema = { ...contractSchema('CreateWebhookRequest')['properties'].secret, storableText: true };
  const read = readBySchema<string>(schema, secret);
  if ('value' in read) return read.value;
  throw new OperatorError(`the secret ${read.faults.map(({ message }) => message).join(' and ')}`);
}
