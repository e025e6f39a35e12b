/** On the page of the sandbox: a button in each row with a tag, which creates a person with it and starts what the tag decides. */
(() => {
  const form = document.querySelector('.sandbox-form');
  const api = new URL(form.dataset.api, document.baseURI).href.replace(/\/$/, '');
  const field = (name) => form.elements.namedItem(name).value.trim();
  const status = form.querySelector('[role="status"]');
  form.hidden = false;

  /** The tokens of this page by credentials; nothing is stored. */
  const tokens = new Map();

  async function call(steps, method, path, { authorization, body } = {}) {
    const response = await fetch(api + path, {
      method,
      // The browser's own credentials would open its sign-in dialog after a 401.
      credentials: 'omit',
      headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const envelope = await response.json();
    steps.push(`${method} ${path}: ${response.status} ${envelope.message}`);
    if (!response.ok) throw new Error('refused');
    return envelope.data;
  }

  async function bearer(steps) {
    const credentials = `${field('client_id')}:${field('client_secret')}`;
    if (!tokens.has(credentials)) {
      const bytes = String.fromCharCode(...new TextEncoder().encode(credentials));
      const data = await call(steps, 'POST', '/authenticate/token', { authorization: `Basic ${btoa(bytes)}` });
      tokens.set(credentials, data.access_token);
    }
    return `Bearer ${tokens.get(credentials)}`;
  }

  /** A new person with these tags, in a new application, and whatever the tags decide. */
  async function play(steps, tags) {
    const authorization = await bearer(steps);
    const all = new Set(['+registered', ...tags]);
    const email = `try-${crypto.randomUUID().slice(0, 8)}${[...all].join('')}@mail.example`;
    const body = { title: `Try ${[...tags].join(' ')}`, tenants: [{ email, is_lead: true }] };
    const { application_id: id } = await call(steps, 'POST', '/applications/create-application', {
      authorization,
      body,
    });
    const { participants } = await call(steps, 'GET', `/applications/${id}`, { authorization });
    const [{ id: tenant, consent_status: consent, onboarding_status: onboarding }] = participants;
    steps.push(`${email}: consent ${consent}, onboarding ${onboarding}, tenant ${tenant}`);
    const has = (kind) => tags.some((tag) => tag.startsWith(kind));
    if (has('+eid') || has('+forensic')) {
      const back = { redirect_url: new URL(location.pathname, location.origin).href };
      const { verification_link: link } = await call(steps, 'POST', `/tenants/initiate-eid/${tenant}`, {
        authorization,
        body: back,
      });
      steps.push(link);
    }
    if (has('+kyc') || has('+forensic')) {
      const { verification_url: url } = await call(steps, 'GET', `/tenants/initiate-kyc/${tenant}`, { authorization });
      steps.push(url);
    }
  }

  /** Shows what happened below the row, or below the form. */
  function shower(place) {
    const shown = document.createElement('ol');
    shown.className = 'sandbox-steps';
    if (place.localName === 'tr') {
      if (place.nextElementSibling?.className === 'sandbox-row') place.nextElementSibling.remove();
      const row = document.createElement('tr');
      row.className = 'sandbox-row';
      const cell = row.appendChild(document.createElement('td'));
      cell.colSpan = place.cells.length;
      cell.append(shown);
      place.after(row);
    } else {
      place.querySelector('.sandbox-steps')?.remove();
      place.append(shown);
    }
    return (steps) => {
      const items = steps.map((step) => {
        const item = document.createElement('li');
        if (!/^https?:/.test(step)) item.textContent = step;
        else {
          const link = item.appendChild(document.createElement('a'));
          Object.assign(link, {
            href: step,
            textContent: 'Open the page of the verification',
            target: '_blank',
            rel: 'noopener',
          });
        }
        return item;
      });
      shown.replaceChildren(...items);
    };
  }

  async function run(button, place, action) {
    if (!form.reportValidity()) return;
    const show = shower(place);
    const steps = [];
    button.disabled = true;
    try {
      await action(steps);
      status.textContent = 'Done.';
    } catch (error) {
      if (error.message !== 'refused') steps.push(`No answer from ${api}: ${error.message}`);
      status.textContent = steps.at(-1);
    } finally {
      button.disabled = false;
      show(steps);
    }
  }

  for (const row of document.querySelectorAll('main tbody tr')) {
    const [first, second] = row.cells;
    const tagsIn = (cell) => [...cell.querySelectorAll('code')].map(({ textContent }) => textContent);
    const isTag = (text) => /^\+[a-z-]+$/.test(text);
    // A row of alternatives has one button for each; a row of an event needs all its tags.
    const alternatives = tagsIn(first)
      .filter(isTag)
      .map((tag) => [tag]);
    const needed = tagsIn(second ?? first).filter(isTag);
    const choices = alternatives.length > 0 ? alternatives : needed.length > 0 ? [needed] : [];
    for (const tags of choices) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'try';
      button.textContent = 'Try';
      button.setAttribute('aria-label', `Try ${tags.join(' and ')}`);
      button.addEventListener('click', () => run(button, row, (steps) => play(steps, tags)));
      const codes = [...row.querySelectorAll('code')];
      codes.find(({ textContent }) => textContent === tags.at(-1)).after(' ', button);
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const url = field('url');
    run(event.submitter, form, async (steps) => {
      const authorization = await bearer(steps);
      if (url === '') return steps.push('The credentials are right. Without a URL, no webhook was registered.');
      const secret = field('secret');
      await call(steps, 'POST', '/webhooks/create-webhook', {
        authorization,
        body: secret ? { url, secret } : { url },
      });
    });
  });
})();
