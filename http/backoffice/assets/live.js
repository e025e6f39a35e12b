// Keeps the parts of a page up to date. Without this script, the page shows the state at load time.
const main = document.querySelector('main[data-live]');
const bar = document.querySelector('.live');
const RETRY_MS = 60_000;
const REFRESH_AGAIN_MS = 10_000;
/** Another page explains the change: the session is over, or the resource is gone. */
const ENDED = [401, 403, 404];
let stream;
let isPaused = false;
let isLoading = false;
let isStale = false;

if (main && bar && 'EventSource' in window) {
  bar.hidden = false;
  bar.querySelector('button').addEventListener('click', () => {
    isPaused = !isPaused;
    isPaused ? stop() : start();
    show();
  });
  // A hidden page needs no connection.
  document.addEventListener('visibilitychange', () => (document.hidden ? stop() : start()));
  if (!document.hidden) start();
}

function start() {
  if (stream || isPaused) return;
  stream = new EventSource(location.href);
  stream.addEventListener('message', ({ data }) => {
    if (data !== main.dataset.live) refresh();
  });
  stream.addEventListener('over', () => location.reload());
  stream.addEventListener('error', () => {
    if (stream?.readyState !== EventSource.CLOSED) return;
    stop();
    // Refused: the session is over, or there are too many streams. Falls back to reloading once a minute.
    refresh();
    setTimeout(() => !document.hidden && start(), RETRY_MS);
  });
}

function stop() {
  stream?.close();
  stream = undefined;
}

/** Fetches the page and replaces the parts shown here. */
async function refresh() {
  isStale = isLoading;
  if (isLoading) return;
  isLoading = true;
  try {
    const answer = await fetch(location.href, { headers: { 'Console-Refresh': 'true' } });
    if (ENDED.includes(answer.status)) return location.reload();
    if (!answer.ok) throw new Error(`answered ${answer.status}`);
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    main.dataset.live = fresh.querySelector('main')?.dataset.live ?? '';
    for (const part of fresh.querySelectorAll('[data-part]')) replace(part);
    show(new Date());
  } catch {
    setTimeout(() => stream && refresh(), REFRESH_AGAIN_MS);
  } finally {
    isLoading = false;
    if (isStale) refresh();
  }
}

/** Preserves open details, chosen rows and the keyboard focus. */
function replace(fresh) {
  const old = main.querySelector(`[data-part="${fresh.dataset.part}"]`);
  if (!old || old.innerHTML === fresh.innerHTML) return;
  const opened = [...old.querySelectorAll('details')].map(({ open }) => open);
  const focused = old.contains(document.activeElement) ? document.activeElement : undefined;
  for (const [index, details] of fresh.querySelectorAll('details').entries()) details.open = opened[index] ?? false;
  const chosen = new Set([...old.querySelectorAll('input:checked')].map(({ value }) => value));
  for (const box of fresh.querySelectorAll('input[type=checkbox]')) box.checked = chosen.has(box.value);
  old.replaceWith(document.adoptNode(fresh));
  const same = [...fresh.querySelectorAll('a, button, summary, select, input')].find(
    (one) => focused && one.outerHTML === focused.outerHTML,
  );
  same?.focus({ preventScroll: true });
}

function show(updatedAt) {
  const [text, button] = [bar.querySelector('span'), bar.querySelector('button')];
  if (updatedAt) text.textContent = `Updated ${updatedAt.toISOString().slice(11, 19)}`;
  button.textContent = isPaused ? 'Resume updates' : 'Pause';
  bar.classList.toggle('paused', isPaused);
}
