import type { Command } from 'commander';
import { type Activity, addActivityList } from '../cli/activity-list.ts';
import { addCancelCommand } from './cancel-flow.ts';

const kyc: Activity = {
  noun: 'kyc',
  id: 'kyc_id',
  plural: 'identity verifications (KYC)',
  table: 'kyc_verifications',
  statuses: ['pending', 'verified', 'rejected', 'failed', 'expired'],
};

const eid: Activity = {
  noun: 'eid',
  id: 'eid_id',
  plural: 'national eID flows',
  table: 'eid_flows',
  statuses: ['pending', 'downloading', 'succeeded', 'cancelled', 'failed', 'expired'],
};

export function addKycCommands(command: Command): void {
  addActivityList(command, kyc);
  addCancelCommand(command, 'kyc');
}

export function addEidCommands(command: Command): void {
  addActivityList(command, eid);
  addCancelCommand(command, 'eid');
}
