/** Runs before the page is drawn: the remembered theme, and that scripts run at all. */
(() => {
  const root = document.documentElement;
  root.classList.add('js');
  // Some browsers refuse storage to pages from disk.
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch {}
})();
