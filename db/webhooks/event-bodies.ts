/** The body of an event, apart from its record, which is kept for longer. */
export interface EventBodyRow {
  /** The id of the event. */
  id: string;
  /** The JSON that is signed and sent, sealed. */
  body: string;
}

/** The body of a row of `events`, wherever it is stored: older events hold it in the record. */
export const BODY =
  'coalesce(events.body, (select event_bodies.body from event_bodies where event_bodies.id = events.id))';
