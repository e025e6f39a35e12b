/** The search over guides, errors and reference. Engine and records load when it is first opened. */
(() => {
  const HERE = document.currentScript.src;
  const SITE = new URL('../', HERE);
  const MAX_RESULTS = 20;
  const SNIPPET_LENGTH = 150;
  const button = document.querySelector('.search-button');
  const NAMES = { integrators: 'Integration', operators: 'Operation' };
  /** An engine and its records by audience. */
  const engines = new Map();
  let audience = document.body.dataset.audience;
  let parts;
  let selected = -1;

  /** The dialog with its box and list, built once. */
  function build() {
    const dialog = document.createElement('dialog');
    dialog.className = 'search';
    dialog.setAttribute('aria-label', 'Search');
    const input = element('input', {
      type: 'text',
      role: 'combobox',
      'aria-label': 'Search guides, errors and reference',
      'aria-controls': 'search-results',
      'aria-expanded': 'false',
      'aria-autocomplete': 'list',
      autocomplete: 'off',
      autocapitalize: 'none',
      spellcheck: 'false',
      enterkeyhint: 'go',
      placeholder: 'Guides, errors and reference',
      maxlength: '100',
    });
    const close = element('button', { type: 'button' });
    close.textContent = 'Close';
    const box = element('div', { class: 'search-box' });
    box.append(input, close);
    const scope = element('fieldset', { class: 'search-scope' });
    const legend = element('legend', { class: 'sr' });
    legend.textContent = 'Search in';
    scope.append(legend, ...Object.keys(NAMES).map(choice));
    scope.addEventListener('change', ({ target }) => {
      audience = target.value;
      input.focus();
      refresh();
    });
    const status = element('p', { role: 'status' });
    const list = element('div', { role: 'listbox', id: 'search-results', 'aria-label': 'Results' });
    dialog.append(box, scope, status, list);
    document.body.append(dialog);
    input.addEventListener('input', search);
    input.addEventListener('keydown', move);
    close.addEventListener('click', () => dialog.close());
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog || event.target.closest('a')) dialog.close();
    });
    return { dialog, input, status, list };
  }

  function choice(name) {
    const label = element('label', {});
    const input = element('input', { type: 'radio', name: 'search-scope', value: name });
    input.checked = name === audience;
    label.append(input, NAMES[name]);
    return label;
  }

  function element(name, attributes) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  async function open() {
    parts ??= build();
    if (parts.dialog.open) return;
    parts.dialog.showModal();
    parts.input.select();
    refresh();
  }

  async function refresh() {
    try {
      const asked = audience;
      if (!engines.has(asked)) engines.set(asked, await load(asked));
      search();
    } catch {
      parts.status.textContent = 'The search could not be loaded. Reload the page.';
    }
  }

  async function load(asked) {
    if (!globalThis.MiniSearch) await script('minisearch.js');
    await script(`search-${asked}.js`);
    const records = globalThis.searchRecords;
    const made = new globalThis.MiniSearch({
      fields: ['title', 'heading', 'text'],
      searchOptions: {
        boost: { title: 3, heading: 4 },
        prefix: true,
        boostDocument: (id) => (records[id].area === 'Open points' ? 0.6 : 1),
        fuzzy: (term) => (term.length > 3 ? 0.2 : false),
      },
    });
    made.addAll(records.map((record, id) => ({ ...record, id })));
    return { engine: made, records };
  }

  function script(name) {
    return new Promise((resolve, reject) => {
      const added = element('script', { src: new URL(name, HERE).href });
      added.addEventListener('load', resolve);
      added.addEventListener('error', reject);
      document.head.append(added);
    });
  }

  function search() {
    if (!engines.has(audience)) return;
    const { engine } = engines.get(audience);
    const { input, status, list } = parts;
    const words = input.value.trim();
    const every = engine.search(words, { combineWith: 'AND' });
    const found = (every.length > 0 ? every : engine.search(words)).slice(0, MAX_RESULTS);
    list.replaceChildren(...found.map(option));
    list.scrollTop = 0;
    input.setAttribute('aria-expanded', String(found.length > 0));
    const count = found.length === 1 ? '1 result' : `${found.length} results`;
    if (words === '') status.textContent = '';
    else status.textContent = found.length > 0 ? count : `Nothing found for “${words}”. Try fewer or other words.`;
    select(found.length > 0 ? 0 : -1);
  }

  function option({ id, terms }, index) {
    const { address, area, title, heading, text } = engines.get(audience).records[id];
    const link = element('a', {
      role: 'option',
      id: `search-result-${index}`,
      href: new URL(address, SITE).href,
      tabindex: '-1',
      'aria-selected': 'false',
    });
    const isOperation = address.startsWith('reference');
    const place = element('span', { class: 'search-place' });
    place.textContent = isOperation || title === area || !heading ? area : `${area} · ${title}`;
    const name = element('strong', {});
    name.append(...marked(isOperation ? title : heading || title, terms));
    const detail = element('span', { class: 'search-text' });
    if (isOperation) detail.append(heading, text && ' · ');
    detail.append(...marked(snippet(text, terms), terms));
    link.append(name, place, detail);
    return link;
  }

  /** The part of the text around its first match. */
  function snippet(text, terms) {
    const at = text.search(pattern(terms));
    if (at < SNIPPET_LENGTH / 2) return cut(text, SNIPPET_LENGTH);
    const start = text.indexOf(' ', at - SNIPPET_LENGTH / 3) + 1;
    return `… ${cut(text.slice(start), SNIPPET_LENGTH)}`;
  }

  function cut(text, length) {
    return text.length <= length ? text : `${text.slice(0, text.lastIndexOf(' ', length))} …`;
  }

  function marked(text, terms) {
    return text.split(pattern(terms)).map((part, index) => {
      if (index % 2 === 0) return part;
      const mark = document.createElement('mark');
      mark.textContent = part;
      return mark;
    });
  }

  function pattern(terms) {
    const escaped = terms.map((term) => term.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    return new RegExp(`(${escaped.sort((one, other) => other.length - one.length).join('|')})`, 'i');
  }

  function move(event) {
    const { length } = parts.list.children;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.isComposing || length === 0) return;
    if (event.key in steps) select((selected + steps[event.key] + length) % length);
    else if (event.key === 'Enter') parts.list.children[selected].click();
    else return;
    event.preventDefault();
  }

  function select(index) {
    const { input, list } = parts;
    selected = index;
    [...list.children].forEach((one, at) => {
      one.setAttribute('aria-selected', String(at === index));
    });
    const current = list.children[index];
    if (!current) return input.removeAttribute('aria-activedescendant');
    input.setAttribute('aria-activedescendant', current.id);
    current.scrollIntoView({ block: 'nearest' });
  }

  function isEditable({ target }) {
    return target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName);
  }

  button.hidden = false;
  button.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    const slash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isEditable(event);
    if (!slash) return;
    event.preventDefault();
    open();
  });
})();
