import type { Command } from 'commander';
import { NotFound, on } from '../../../core/errors.ts';
import { listParticipants } from '../../../db/applications/application-lists.ts';
import type { ParticipantRow } from '../../../db/applications/applications.ts';
import { type PaymentRow, recordPayment } from '../../../db/applications/payments.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { parseEmail } from '../cli/contract-rules.ts';
import { OperatorError } from '../cli/faults.ts';
import { auditOperator } from '../cli/operator.ts';
import { list, record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { parseAmount } from '../cli/values.ts';
import { withReads } from '../cli/with-reads.ts';
import { namedApplication } from './named.ts';

export function addPaymentCommands(payment: Command): void {
  payment
    .command('record')
    .description('record a pending payment; removing the participant then returns a warning')
    .requiredOption('--application <id>', 'the application')
    .requiredOption('--email <email>', 'the e-mail address of its participant', parseEmail)
    .requiredOption('--amount <amount>', 'the amount, such as 1450.50', parseAmount)
    .option('--protected', 'the payment is protected', false)
    .addHelpText(
      'after',
      example('payment record --application <id> --email jonas.weber@mail.example --amount 1450.50 --protected'),
    )
    .action(add);
  payment
    .command('list')
    .description('list the payments of an application, including those of removed participants')
    .requiredOption('--application <id>', 'the application')
    .addHelpText('after', example('payment list --application <id>'))
    .action(listPayments);
}

interface Options {
  application: string;
  email: string;
  amount: number;
  protected: boolean;
}

const add = withRuntime(async ({ db, now }, { application, email, amount, protected: isProtected }: Options) => {
  const input = { applicationId: application, email, amount, isProtected };
  const moment = now();
  const payment = await inTransaction(db, async (trx) => {
    const recorded = await recordPayment(trx, input, moment);
    await auditOperator(trx, 'payment.record', recorded.id, moment);
    return recorded;
  }).catch(
    on(NotFound, ({ message }) => {
      throw new OperatorError(
        `${message} Give the id of an application and the address of one of its active participants.`,
      );
    }),
  );
  const { payment_id, ...others } = paymentFields(payment, { email });
  return record('The pending payment was recorded.', { payment_id, application_id: application, ...others });
});

const listPayments = withReads(async ({ reads: db }, { application }: { application: string }) => {
  await namedApplication(db, application);
  const participants = await listParticipants(db, application);
  const rows = participants.flatMap((participant) =>
    participant.payments.map((payment) => paymentFields(payment, participant)),
  );
  return list(rows, {
    columns: ['payment_id', 'email', 'amount', 'is_protected', 'status', 'created_at'],
    cut: ['email'],
    drop: ['created_at', 'is_protected'],
    empty: 'There are no payments of this application.',
  });
});

/** The fields of a payment in every output. */
export function paymentFields(payment: PaymentRow, { email }: Pick<ParticipantRow, 'email'>) {
  const { id, amount, is_protected, status, created_at } = payment;
  return { payment_id: id, email, amount, is_protected: is_protected === 1, status, created_at };
}
