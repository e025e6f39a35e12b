/** Draws the contract with Scalar. Nothing is loaded, sent or remembered but what the reader asks for. */
(() => {
  const dark = () => document.querySelector('.theme').getAttribute('aria-pressed') === 'true';
  // The same spelling as site/addresses.ts, which the other pages link with.
  const slugOf = (text) =>
    text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
  // A relative server address is relative to this page.
  const content = structuredClone(globalThis.contract);
  for (const server of content.servers) server.url = new URL(server.url, document.baseURI).href;
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
    authentication: { preferredSecurityScheme: 'accessToken' },
    generateOperationSlug: ({ operationId }) => operationId,
    generateWebhookSlug: ({ name }) => name,
    generateTagSlug: ({ name }) => slugOf(name),
    setPageTitle: ({ title }) => `${title} · Reference`,
  });

  // Scalar reads its theme once and knows no way to be told of another; it wears it as a class.
  const { classList } = document.body;
  const follow = () => {
    classList.toggle('dark-mode', dark());
    classList.toggle('light-mode', !dark());
  };
  document.addEventListener('themechange', follow);
  new MutationObserver(follow).observe(document.body, { attributeFilter: ['class'] });
  follow();
})();
