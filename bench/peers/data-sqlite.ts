import Sqlite from 'better-sqlite3';
import {
  type ApplicationRow,
  asFound,
  type Data,
  FIND_APPLICATION,
  FIND_AT_ONCE,
  FIND_KEY,
  FIND_PARTICIPANTS,
  FIND_SAME_PEOPLE,
  type FoundAtOnce,
  isAtOnce,
  type KeyRow,
  type ParticipantRow,
} from './data.ts';
import { keyOf, type NewApplication, newApplication } from './new-application.ts';

/** Prepared statements on one connection, which is set up as the service does. */
export function openSqlite(file: string): Data {
  const db = new Sqlite(file);
  for (const pragma of [
    'busy_timeout = 10000',
    'journal_mode = WAL',
    'synchronous = NORMAL',
    'foreign_keys = ON',
    'secure_delete = ON',
    'wal_autocheckpoint = 4000',
    'temp_store = MEMORY',
  ])
    db.pragma(pragma);
  const findKey = db.prepare<[string], KeyRow>(numbered(FIND_KEY));
  const findApplication = db.prepare<[string, string], ApplicationRow>(numbered(FIND_APPLICATION));
  const findParticipants = db.prepare<[string], ParticipantRow>(numbered(FIND_PARTICIPANTS));
  const findAtOnce = db.prepare<[string, string], FoundAtOnce>(
    numbered(FIND_AT_ONCE('json_group_array', 'json_object')),
  );
  const findSamePeople = db.prepare<[string, string], { id: string; title: string }>(numbered(FIND_SAME_PEOPLE));
  const insert = inserts(db);
  const create = db.transaction((keyId: string, request: Parameters<Data['createApplication']>[1], now: Date) => {
    const same = findSamePeople.get(keyId, keyOf(request.tenants));
    if (same) return { ...same, isNew: false };
    const fresh = newApplication(keyId, request, now);
    insert(fresh);
    return { id: fresh.application.id, title: request.title, isNew: true };
  });
  return {
    findKey: (id) => findKey.get(id),
    findApplication: (keyId, applicationId) => {
      if (isAtOnce) return asFound(findAtOnce.get(applicationId, keyId));
      const application = findApplication.get(applicationId, keyId);
      return application && { application, participants: findParticipants.all(applicationId) };
    },
    createApplication: create.immediate,
  };
}

function inserts(db: Sqlite.Database): (fresh: NewApplication) => void {
  const application = into(db, 'applications', 'id, api_key_id, title, active_email_key, created_at, updated_at');
  const participant = into(
    db,
    'participants',
    'id, application_id, position, email, comparable_email, name, is_lead, is_guarantor, consent_status',
  );
  const invite = into(
    db,
    'invites',
    'id, participant_id, status, due_at, correlation_id, created_at, token_hash, sealed_token, expires_at, api_key_id',
  );
  const job = into(db, 'due_work', 'name, id, bulk');
  const audit = into(db, 'audit_entries', 'at, actor_kind, actor, action, resource_id, correlation_id');
  return (fresh) => {
    application.run(fresh.application);
    for (const row of fresh.participants) participant.run(row);
    for (const row of fresh.invites) invite.run(row);
    for (const { id } of fresh.invites) job.run({ name: 'send-invite', id, bulk: 0 });
    audit.run(fresh.audit);
  };
}

function into(db: Sqlite.Database, table: string, columns: string): Sqlite.Statement<[object]> {
  return db.prepare<[object]>(`insert into ${table} (${columns}) values (${columns.replace(/\w+/g, '@$&')})`);
}

/** With parameters that are given in order. */
function numbered(sql: string): string {
  return sql.replace(/\$\d/g, '?');
}
