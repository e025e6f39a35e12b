// Progressive enhancement: without this script everything works except the messages to an embedding page.
const framed = window.parent !== window;
const { emits, height: emitsHeight, watches, movesAfter, movesTo } = document.body.dataset;

document.documentElement.classList.toggle('framed', framed);
// Reports the end on every view; reports leaving only when the person leaves, not when the browser restores the page.
const [{ type: visit } = {}] = performance.getEntriesByType('navigation');
if (framed && emits && (emits !== 'KYC_USER_EXIT' || visit === 'navigate')) window.parent.postMessage(emits, '*');
// An object, so that no listener for the strings mistakes it for one. `frame-ancestors` decides who receives either.
if (framed && emitsHeight)
  new ResizeObserver(() => {
    const { height } = document.documentElement.getBoundingClientRect();
    window.parent.postMessage({ event: 'KYC_HEIGHT', height: Math.ceil(height) }, '*');
  }).observe(document.documentElement);

// Only if the person is already active here: the page must neither take the focus from an embedding page nor scroll it.
// The fragment names no element, because navigating to one would scroll the embedding page.
const reached =
  document.querySelector('[data-focus]') ?? (location.hash === '#step' && document.getElementById('heading'));
if (reached && document.hasFocus()) reached.focus();

// In a window of its own, the provider's page replaces this one.
if (!framed) for (const link of document.querySelectorAll('a[target]')) link.removeAttribute('target');

if (movesAfter) setTimeout(() => (movesTo ? location.replace(movesTo) : location.reload()), movesAfter * 1000);
if (watches) watch(500);

/** Polls with increasing intervals. */
function watch(delay) {
  setTimeout(async () => {
    if (await hasChanged()) return location.reload();
    if (delay > 3000)
      for (const text of document.querySelectorAll('[data-patience]')) text.textContent = text.dataset.patience;
    watch(Math.min(delay * 1.2, 5000));
  }, delay);
}

async function hasChanged() {
  try {
    const answer = await fetch(watches, { cache: 'no-store', credentials: 'omit' });
    return answer.status === 404 || (answer.ok && (await answer.json()).state !== 'pending');
  } catch {
    return false;
  }
}
