import type { Token } from 'markdown-it';

/**
 * Prepares the tables among the tokens. On phones each row of three or more cells becomes a block whose cells are labelled by their
 * column's heading; ARIA roles keep it a table. A row that begins with an identifier in backticks can be linked by it.
 * @param omit the heading of a column to leave out
 */
export function withLabelledCells(tokens: readonly Token[], omit?: string): Token[] {
  let table: Token | undefined;
  let headings: string[] = [];
  let column = -1;
  return tokens.filter((token, index) => {
    const { type } = token;
    const role = ROLES[type];
    if (role) token.attrSet('role', role);
    if (type === 'table_open') [table, headings] = [token, []];
    if (type === 'tr_open' || type === 'tr_close') column = -1;
    if (type === 'th_open' || type === 'td_open') column++;
    if (type === 'th_open' && column === 2) table?.attrSet('class', 'records');
    if (type === 'th_open') headings.push(tokens[index + 1]?.content ?? '');
    if (type === 'td_open') token.attrSet('data-label', headings[column] ?? '');
    const name = type === 'tr_open' && identifierIn(tokens[index + 2]);
    if (name) token.attrSet('id', name);
    return omit === undefined || headings[column] !== omit;
  });
}

const ROLES: Record<string, string> = {
  table_open: 'table',
  thead_open: 'rowgroup',
  tbody_open: 'rowgroup',
  tr_open: 'row',
  th_open: 'columnheader',
  td_open: 'cell',
};

function identifierIn(cell: Token | undefined): string | undefined {
  const [name, ...others] = cell?.children ?? [];
  const isIdentifier = name?.type === 'code_inline' && others.length === 0 && /^[a-z][a-z0-9-]*$/.test(name.content);
  return isIdentifier ? name.content : undefined;
}
