import type { Command } from 'commander';
import { NotFound } from '../../core/errors.ts';
import { recordPayment } from '../../db/provisioning.ts';
import { parseEmail } from './email-value.ts';
import { OperatorError } from './faults.ts';
import { record } from './output.ts';
import { example, withRuntime } from './run-command.ts';
import { parseAmount } from './values.ts';

export function addPaymentCommands(payment: Command): void {
  payment
    .command('record')
    .description('record a pending payment; removing the participant then warns of it')
    .requiredOption('--application <id>', 'the application')
    .requiredOption('--email <email>', 'the e-mail address of its participant', parseEmail)
    .requiredOption('--amount <amount>', 'the amount, such as 1450.50', parseAmount)
    .option('--protected', 'the payment is protected', false)
    .addHelpText(
      'after',
      example('payment record --application <id> --email jonas.weber@mail.example --amount 1450.50 --protected'),
    )
    .action(add);
}

interface Options {
  application: string;
  email: string;
  amount: number;
  protected: boolean;
}

const add = withRuntime(async ({ db, now }, { application, email, amount, protected: isProtected }: Options) => {
  const input = { applicationId: application, email, amount, isProtected };
  const payment = await db.transaction((trx) => recordPayment(trx, input, now())).catch(advise);
  return record('The pending payment was recorded.', {
    payment_id: payment.id,
    application_id: application,
    email,
    amount,
    is_protected: isProtected,
    status: payment.status,
    created_at: payment.created_at,
  });
});

function advise(error: unknown): never {
  if (error instanceof NotFound)
    throw new OperatorError(
      `${error.message} Give the id of an application and the address of one of its active participants.`,
    );
  throw error;
}
