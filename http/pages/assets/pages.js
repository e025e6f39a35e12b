// Everything works without this but the message to a surrounding page.
const framed = window.parent !== window;
const { tells, watches, movesAfter, movesTo } = document.body.dataset;

document.documentElement.classList.toggle('framed', framed);
// The end is reported on every view; leaving only when the person leaves, not when the browser restores the page.
const [{ type: visit } = {}] = performance.getEntriesByType('navigation');
if (framed && tells && (tells !== 'KYC_USER_EXIT' || visit === 'navigate')) window.parent.postMessage(tells, '*');

// Only a person who is at work here already: the page does not take the focus from a surrounding one, nor scrolls it.
// The fragment names no element, since going to one would scroll the surrounding page to it.
const reached =
  document.querySelector('[data-focus]') ?? (location.hash === '#step' && document.getElementById('heading'));
if (reached && document.hasFocus()) reached.focus();

// In a window of its own the provider's page takes this one's place.
if (!framed) for (const link of document.querySelectorAll('a[target]')) link.removeAttribute('target');

if (movesAfter) setTimeout(() => (movesTo ? location.replace(movesTo) : location.reload()), movesAfter * 1000);
if (watches) watch(500);

/** Looks now and then, ever less often. */
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
