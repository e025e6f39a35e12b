import { Command } from 'commander';
import { addActivityCommands } from './activity.ts';
import { addApiKeyCommands } from './api-keys.ts';
import { addDeliveryCommands } from './deliveries.ts';
import { addDocumentCommands } from './documents.ts';
import { addEncryptionCommands } from './encryption.ts';
import { addForensicsCommands } from './forensics.ts';
import { addLandlordCommands } from './landlords.ts';
import { addPaymentCommands } from './payments.ts';
import { addPropertyCommands } from './properties.ts';
import { addTenantCommands } from './tenants.ts';
import { addWebhookCommands } from './webhooks.ts';

const DESCRIPTION = `Operates the Tenant Screening service on the database of DATABASE_URL and the files of DATA_DIR.
The service may be running beside it.`;

const EPILOGUE = `
From landlord to key:
  npm run --silent admin -- landlord create --name "Casa Clara"
  npm run --silent admin -- key create --landlord <landlord id> --name "Website"

Exit codes: 0 done, 1 not done, 2 not understood.
--silent keeps npm's own lines out of the output.`;

/** Every command, noun first. The commands only describe themselves here; nothing is opened before one runs. */
export function createProgram(): Command {
  const program = new Command('npm run admin --')
    .description(DESCRIPTION)
    .option('--json', 'print one JSON document and nothing else')
    .configureHelp({ showGlobalOptions: true })
    // Faults are printed in one place, bin/admin.ts.
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .addHelpText('after', EPILOGUE);
  addLandlordCommands(program);
  addApiKeyCommands(program);
  addTenantCommands(program);
  addDocumentCommands(program);
  addPropertyCommands(program);
  addPaymentCommands(program);
  addWebhookCommands(program);
  addDeliveryCommands(program);
  addForensicsCommands(program);
  addActivityCommands(program);
  addEncryptionCommands(program);
  return program;
}
