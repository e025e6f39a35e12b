import type { Command } from 'commander';
import { NotFound, on } from '../../../core/errors.ts';
import { listParticipants } from '../../../db/applications/application-lists.ts';
import type { ParticipantRow } from '../../../db/applications/applications.ts';
import { endPayment, type PaymentEnd, type PaymentRow, recordPayment } from '../../../db/applications/payments.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { parseEmail } from '../cli/contract-rules.ts';
import { OperatorError } from '../cli/faults.ts';
import { auditOperator } from '../cli/operator.ts';
import { list, record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
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
  for (const [name, end, what] of ENDS)
    payment
      .command(name)
      .description(`record that a payment ${what}; removing the participant then affects it no more`)
      .argument('<payment>', 'the id of the payment')
      .requiredOption('--application <id>', 'the application')
      .addHelpText('after', example(`payment ${name} <payment id> --application <id>`))
      .action(withEnd(end));
  payment
    .command('list')
    .description('list the payments of an application, including those of removed participants')
    .requiredOption('--application <id>', 'the application')
    .addHelpText('after', example('payment list --application <id>'))
    .action(listPayments);
}

const ENDS = [
  ['settle', 'settled', 'was paid'],
  ['cancel', 'cancelled', 'is no longer owed'],
  ['refund', 'refunded', 'was given back'],
] as const;

function withEnd(end: PaymentEnd) {
  return withRuntime(async ({ db, now }, payment: string, { application }: { application: string }) => {
    await inTransaction(db, async (trx) => {
      if (!(await endPayment(trx, { applicationId: application, id: payment }, end)))
        throw new OperatorError(
          `the application has no such payment, or it can no longer be ${end}; see ${commandLine(`payment list --application ${application}`)}`,
        );
      await auditOperator(trx, `payment.${end}`, payment, now());
    });
    return record(`The payment was ${end}.`, { payment_id: payment, application_id: application, status: end });
  });
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
