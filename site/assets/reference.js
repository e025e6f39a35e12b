/** Draws the contract with Scalar. Nothing is loaded, sent or remembered but what the reader asks for. */
(() => {
  const dark = () => document.querySelector('.theme').getAttribute('aria-pressed') === 'true';
  const product = document.title.split(' · ').at(-1);
  // A relative server address is relative to this page.
  const content = structuredClone(globalThis.contract);
  for (const server of content.servers) server.url = new URL(server.url, document.baseURI).href;
  // On phones the answer lies below the request.
  const showResponse = () =>
    document.querySelector('[role="dialog"] section[aria-label="Response"]')?.scrollIntoView({ block: 'nearest' });
  globalThis.Scalar.createApiReference('#reference', {
    content,
    theme: 'none',
    darkMode: dark(),
    hideDarkModeToggle: true,
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    hideClientButton: true,
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
    onResponseReceived: () => void setTimeout(showResponse),
  });

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
