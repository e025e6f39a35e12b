import type { Database } from '../../../db/connection/connect.ts';
import { findListedProperty, type ListedProperty } from '../../../db/properties/properties.ts';
import { OperatorError } from '../cli/faults.ts';
import { commandLine } from '../cli/run-command.ts';

/** @throws OperatorError when there is no such property */
export async function namedProperty(db: Database, propertyId: string): Promise<ListedProperty> {
  const found = await findListedProperty(db, propertyId);
  if (!found)
    throw new OperatorError(
      `no property has the id "${propertyId}"; list them with ${commandLine('property list --landlord <landlord id>')}`,
    );
  return found;
}
