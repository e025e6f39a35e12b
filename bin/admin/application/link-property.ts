import { type Command, Option } from 'commander';
import { NotFound } from '../../../core/errors.ts';
import { linkProperty } from '../../../db/applications/linked-property.ts';
import type { Transaction } from '../../../db/connection/connect.ts';
import { OperatorError, UsageError } from '../cli/faults.ts';
import { auditOperator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { parseText } from '../cli/values.ts';
import { lockNamedApplication, namedApplication } from './named.ts';

export function addLinkPropertyCommand(application: Command): void {
  application
    .command('link-property')
    .description('say which property of its landlord an application is about')
    .argument('<application>', 'the id of the application')
    .addOption(new Option('--property <id>', 'the property').argParser(parseText).conflicts('none'))
    .addOption(new Option('--none', 'none (any more)'))
    .addHelpText(
      'after',
      example(
        'application link-property <application id> --property <property id>',
        'application link-property <application id> --none',
      ),
    )
    .action(link);
}

const link = withRuntime(async ({ db, now }, id: string, { property, none }: { property?: string; none?: true }) => {
  if (property === undefined && !none) throw new UsageError('give --property <id> or --none');
  const moment = now();
  const { changed, propertyId } = await db.transaction(async (trx) => {
    await lockNamedApplication(trx, id);
    const linked = await linkNamedProperty(trx, id, property ?? null, moment);
    return { changed: linked, propertyId: (await namedApplication(trx, id)).property_id };
  });
  const sentence = propertyId === null ? 'The application is about no property now.' : 'The property was linked.';
  return record(changed ? sentence : 'It was so before; nothing changed.', {
    application_id: id,
    property_id: propertyId,
  });
});

/**
 * Links a property named by the operator and records it.
 * @throws OperatorError when the landlord has no such property
 */
export async function linkNamedProperty(
  trx: Transaction,
  applicationId: string,
  propertyId: string | null,
  now: Date,
): Promise<boolean> {
  const changed = await linkProperty(trx, applicationId, propertyId, now).catch(async (error) => {
    if (!(error instanceof NotFound)) throw error;
    const { landlord_id } = await namedApplication(trx, applicationId);
    throw new OperatorError(
      `the landlord of the application has no property "${propertyId}"; list theirs with ${commandLine(`property list --landlord ${landlord_id}`)}`,
    );
  });
  const action = propertyId === null ? 'application.unlink-property' : 'application.link-property';
  if (changed) await auditOperator(trx, action, applicationId, now);
  return changed;
}
