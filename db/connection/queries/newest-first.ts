/** The order of rows by time, newest first; their ids decide within a millisecond. */
export function newestFirst(table?: string, moment = 'created_at') {
  return [moment, 'id'].map((column) => ({
    column: table === undefined ? column : `${table}.${column}`,
    order: 'desc' as const,
  }));
}
