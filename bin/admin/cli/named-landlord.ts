import type { LandlordRow } from '../../../db/access/landlords.ts';
import type { Database } from '../../../db/connection/connect.ts';
import { OperatorError } from './faults.ts';
import { typed } from './run-command.ts';

/** @throws OperatorError when there is no such landlord */
export async function namedLandlord(db: Database, id: string): Promise<LandlordRow> {
  const landlord = await db('landlords').where({ id }).first();
  if (!landlord) throw new OperatorError(`no landlord has the id "${id}"; list them with ${typed('landlord list')}`);
  return landlord;
}
