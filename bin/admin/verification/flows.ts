import type { Command } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import type { FlowKind } from '../../../core/secrets/secrets.ts';
import { bankStatuses } from '../../../db/banking/bank-connections.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { findFlow } from '../../../db/identity/flows.ts';
import { CANCELLED, cancelFlow } from '../../../jobs/identity/identity-flows.ts';
import { type Activity, addActivityList } from '../cli/activity-list.ts';
import { type ConfirmOptions, confirmed, confirmOption } from '../cli/confirm.ts';
import { OperatorError } from '../cli/faults.ts';
import { operator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';

const kyc: Activity = {
  noun: 'kyc',
  id: 'kyc_id',
  plural: 'identity verifications (KYC)',
  table: 'kyc_verifications',
  statuses: ['pending', 'verified', 'rejected', 'failed', 'expired'],
  audited: 'kyc.read',
};

const eid: Activity = {
  noun: 'eid',
  id: 'eid_id',
  plural: 'national eID flows',
  table: 'eid_flows',
  statuses: ['pending', 'downloading', 'succeeded', 'cancelled', 'failed', 'expired'],
  audited: 'eid.read',
};

const bank: Activity = {
  noun: 'bank',
  id: 'bank_id',
  plural: 'bank connections',
  table: 'bank_connections',
  statuses: [...bankStatuses],
  audited: 'bank.read',
};

export function addBankCommands(command: Command): void {
  addActivityList(command, bank);
}

export function addKycCommands(command: Command): void {
  addActivityList(command, kyc);
  addCancelCommand(command, 'kyc');
}

export function addEidCommands(command: Command): void {
  addActivityList(command, eid);
  addCancelCommand(command, 'eid');
}

const words = {
  kyc: 'the identity verification',
  eid: 'the national eID flow',
};

function addCancelCommand(command: Command, kind: FlowKind): void {
  command
    .command('cancel')
    .description(`end ${words[kind]} of a person who has not finished it, as if it had expired`)
    .argument('<id>', `the ${kind}_id, from ${kind} list --json`, canonicalId)
    .addOption(confirmOption())
    .addHelpText('after', example(`${kind} cancel <${kind} id>`))
    .action(
      withRuntime(async (runtime, id: string, options: ConfirmOptions) => {
        const flow = await findFlow(runtime.db, ALL_LANDLORDS, kind, id);
        if (!flow)
          throw new OperatorError(`no flow has the id "${id}"; find them with ${commandLine(`${kind} list --json`)}`);
        if (flow.status !== 'pending')
          throw new OperatorError(`it is not waiting for the person: it is ${flow.status}`);
        await confirmed(options, `The link of ${words[kind]} ${id} stops working, and the person must start again.`);
        const moment = runtime.now();
        const isEnded = await cancelFlow(runtime, kind, id, operator());
        if (!isEnded) throw new OperatorError('the person has just finished it; nothing changed');
        const fields = {
          [`${kind}_id`]: id,
          tenant_id: flow.tenant_id,
          ...CANCELLED,
          finished_at: moment.toISOString(),
        };
        return record('It was ended.', fields);
      }),
    );
}
