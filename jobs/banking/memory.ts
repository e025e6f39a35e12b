import type { BankAccount, BankStatement } from '../../core/rules/bank-statement.ts';
import { sealText, unsealText } from '../../core/secrets/secrets.ts';
import type { BankConnectionRow } from '../../db/banking/bank-connections.ts';
import type { Runtime } from '../runtime.ts';

/** What continues an open connection. Sealed at rest, and forgotten once the consent has ended. */
export interface Memory {
  /** The page to which the person returns from their bank; its address grants access. */
  back: string;
  /** The person's name in the application. */
  holder: string;
  /** From here on: the provider's grant, and the accounts that it opens. */
  grant?: string;
  accounts?: BankAccount[];
  /** The accounts that the person chose. */
  chosen?: string[];
}

type Keys = Pick<Runtime, 'keys'>;

export function sealMemory(memory: Memory, { keys }: Keys): string {
  return sealText(JSON.stringify(memory), keys.encryption);
}

/** Undefined once it was forgotten. */
export function openMemory(
  { sealed_memory }: Pick<BankConnectionRow, 'sealed_memory'>,
  { keys }: Keys,
): Memory | undefined {
  return sealed_memory === null ? undefined : JSON.parse(unsealText(sealed_memory, keys.encryption));
}

export function sealStatement(statement: BankStatement, { keys }: Keys): string {
  return sealText(JSON.stringify(statement), keys.encryption);
}

/** Undefined before anything was read, and once it was forgotten. */
export function openStatement(
  { sealed_statement }: Pick<BankConnectionRow, 'sealed_statement'>,
  { keys }: Keys,
): BankStatement | undefined {
  return sealed_statement === null ? undefined : JSON.parse(unsealText(sealed_statement, keys.encryption));
}
