/**
 * Reads a list of work a page for each call, and begins again behind its end. Entries that stay in the list hold up no others, whether
 * nothing is to be done about them or it fails.
 * @param idOf by which the list is in order
 */
export function pageByPage<Entry>(limit: number, idOf: (entry: Entry) => string) {
  let after = '';
  return async (read: (page: { after: string; limit: number }) => Promise<Entry[]>): Promise<Entry[]> => {
    const page = await read({ after, limit });
    const last = page.at(-1);
    after = last !== undefined && page.length === limit ? idOf(last) : '';
    return page;
  };
}
