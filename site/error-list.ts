import { operationAddress, slugOf } from './addresses.ts';
import type { Contract, ListedOperation } from './contract.ts';
import { codeHtml, escapeHtml, inlineHtml } from './html.ts';
import { ERROR_LIST, type Page } from './page.ts';

/** Every error of the contract, by operation, so that readers can look up a message. */
export function errorListPage({ operations }: Contract): Page {
  const description = 'Every error of the contract, by operation: its status, cause and message.';
  const sections = operations.map(
    (operation) =>
      `<h2 id="${slugOf(operation.operationId)}"><a class="header-anchor" href="${escapeHtml(operationAddress(operation))}">${inlineHtml(operation.summary)}</a></h2>
<p>${codeHtml(`${operation.method} ${operation.path}`)}</p>
<div class="table" role="group" aria-label="Errors of ${escapeHtml(operation.operationId)}" tabindex="0"><table class="records" role="table">
<thead role="rowgroup"><tr role="row"><th role="columnheader">Status</th><th role="columnheader">When</th><th role="columnheader">Message</th></tr></thead>
<tbody role="rowgroup">${rows(operation)}</tbody></table></div>`,
  );
  return {
    path: ERROR_LIST,
    title: 'Every error',
    description,
    html: `<h1>Every error</h1>\n<p>${description} Messages are for people and may change; decide by status.</p>\n${sections.join('\n')}`,
    layout: 'article',
    headings: operations.map(({ operationId, summary }) => ({ level: 2, id: slugOf(operationId), text: summary })),
  };
}

function rows({ responses }: ListedOperation): string {
  return Object.entries(responses)
    .filter(([status]) => !status.startsWith('2'))
    .flatMap(([status, answer]) =>
      Object.values(answer.content?.['application/json']?.examples ?? {}).map(
        ({ summary = answer.description, value }) =>
          `<tr role="row"><td role="cell">${codeHtml(status)}</td><td role="cell" data-label="When">${inlineHtml(summary)}</td><td role="cell" data-label="Message">${inlineHtml(String(value.message))}</td></tr>`,
      ),
    )
    .join('\n');
}
