/** Draws the contract with Scalar. Nothing is loaded, sent or remembered but what the reader asks for. */
(() => {
  const dark = () => document.querySelector('.theme').getAttribute('aria-pressed') === 'true';
  const product = document.title.split(' · ').at(-1);
  // A relative server address is relative to this page.
  const content = structuredClone(globalThis.contract);
  for (const server of content.servers) server.url = new URL(server.url, document.baseURI).href;
  const samples = Object.values(content.paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => operation['x-codeSamples'] ?? []),
  );
  for (const sample of samples) sample.source = sample.source.replace('{server}', content.servers[0].url);
  // On phones the answer lies below the request.
  const showResponse = () =>
    document.querySelector('[role="dialog"] section[aria-label="Response"]')?.scrollIntoView({ block: 'nearest' });
  const configuration = {
    content,
    theme: 'none',
    darkMode: dark(),
    hideDarkModeToggle: true,
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    // With the browser's own credentials, a 401 would open the browser's sign-in dialog instead of showing the answer.
    customFetch: (input, init) => fetch(input, { ...init, credentials: 'omit' }),
    hideClientButton: true,
    // The search of the site covers the reference too.
    hideSearch: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: 'none',
    defaultOpenAllTags: true,
    modelsSectionLabel: 'Schemas',
    orderSchemaPropertiesBy: 'preserve',
    generateOperationSlug: ({ operationId }) => operationId,
    generateWebhookSlug: ({ name }) => name,
    setPageTitle: ({ title }) => `${title} · ${product}`,
    onResponseReceived: ({ response }) => {
      carryToken(response.clone());
      setTimeout(showResponse);
    },
  };
  // A fragment with a stray percent sign names no place, and Scalar, which decodes it twice, would draw nothing.
  const mendFragment = () => {
    try {
      decodeURIComponent(decodeURIComponent(location.hash));
    } catch {
      history.replaceState(history.state, '', location.pathname + location.search);
    }
  };
  mendFragment();
  addEventListener('hashchange', mendFragment);
  const reference = globalThis.Scalar.createApiReference('#reference', configuration);

  /** A token that generateToken gave is the bearer token of every other operation. */
  async function carryToken(response) {
    if (!response.ok || !new URL(response.url).pathname.endsWith('/authenticate/token')) return;
    const token = (await response.json()).data?.access_token;
    if (token)
      reference.updateConfiguration({
        ...configuration,
        authentication: { securitySchemes: { accessToken: { token } } },
      });
  }

  // Scalar draws sections when they come near, which can move the linked section away after the page has scrolled to it.
  let isHeld = location.hash !== '';
  addEventListener('hashchange', () => (isHeld = true));
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(type, () => (isHeld = false), { capture: true, passive: true });
  const keepInSight = () => {
    if (!isHeld) return;
    // Scalar's ids begin with the name of the document.
    const fragment = decodeURIComponent(location.hash.slice(1));
    const linked = document.querySelector(`[id$=${JSON.stringify(`/${fragment}`)}]`);
    const { top = 0 } = linked?.getBoundingClientRect() ?? {};
    if (top < 0 || top > innerHeight / 3) linked.scrollIntoView();
  };
  new ResizeObserver(keepInSight).observe(document.querySelector('#reference'));
  addEventListener('scrollend', keepInSight);

  // Scalar takes every fragment for a name of its own, and its long navigation comes before its content.
  document.querySelector('.skip').addEventListener('click', (event) => {
    const main = document.querySelector('#reference main');
    if (!main) return;
    event.preventDefault();
    main.tabIndex = -1;
    main.focus();
  });

  // Scalar reads its theme once and offers no way to change it later, so switch the class that it sets.
  const { classList } = document.body;
  const follow = () => {
    classList.toggle('dark-mode', dark());
    classList.toggle('light-mode', !dark());
  };
  document.addEventListener('themechange', follow);
  new MutationObserver(follow).observe(document.body, { attributeFilter: ['class'] });
  follow();
})();
