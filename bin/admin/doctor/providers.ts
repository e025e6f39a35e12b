import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Config } from '../../../core/settings/config.ts';
import { type Finding, type Found, ok, problem } from '../../../jobs/upkeep/finding.ts';
import type { DocumentStore } from '../../../providers/documents/port.ts';
import type { Providers } from '../../../providers/providers.ts';
import { createProviders } from '../../service/build.ts';
import { examine } from './finding.ts';

/** Checks the configured providers. Simulated providers are always ok. */
export async function examineProviders(config: Config): Promise<Finding[]> {
  const { documents, mail, kyc, eid, bank, outbound }: Providers = await createProviders(
    config,
    () => config.publicUrl ?? '',
  );
  const store = config.documents.store.kind === 'folder' ? 'The folder' : 'The bucket';
  const check = (name: string, does: string, advice: string, ask: (() => Promise<void>) | undefined) =>
    examine(name, advice, async () => {
      if (!ask) return ok('It is simulated.');
      await ask();
      return ok(does);
    });
  const isMailReal = config.mail.provider !== 'sandbox';
  try {
    return [
      await examine('documents', 'Check DATA_DIR, or DOCUMENT_STORE and its keys.', () => tryStore(documents, store)),
      await check(
        'mail',
        'The mail server takes our mail.',
        'Correct SMTP_URL and its user, or ask who runs the server.',
        isMailReal ? () => mail.check() : undefined,
      ),
      await check('kyc', 'The provider takes our key.', 'Correct KYC_PROVIDER and its settings.', kyc.check),
      await check('eid', 'The provider can be asked.', 'Correct EID_ISSUER, or ask the provider.', eid.check),
      ...(bank
        ? [
            await check(
              'bank',
              'The provider takes our key.',
              'Correct ENABLE_BANKING_APP_ID and its key, or activate the application.',
              bank.check,
            ),
          ]
        : []),
    ];
  } finally {
    await outbound.close();
    await mail.close();
  }
}

/** Stores random bytes, reads them back and removes them. */
async function tryStore(documents: DocumentStore, name: string): Promise<Found> {
  const bytes = randomBytes(64);
  const { sha256, discard } = await documents.put(Readable.from([bytes]));
  try {
    const read = await buffer(documents.get(sha256));
    if (!read.equals(bytes)) return problem(`${name} returns other bytes than were stored.`, 'Replace it.');
  } finally {
    await discard();
  }
  return ok(`${name} of documents stores, returns and removes bytes.`);
}
