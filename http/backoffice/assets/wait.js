// Follows work under way, and loads the page again once it is done. Without this script, the page has a link that does so.
const main = document.querySelector('main[data-waits]');
const FIRST_MS = 700;
const MAX_DELAY_MS = 10_000;

if (main) look(FIRST_MS);

/** Less and less often. A hidden page does not look. */
function look(delay) {
  setTimeout(async () => {
    if (document.hidden || (await follow())) look(Math.min(delay * 1.3, MAX_DELAY_MS));
  }, delay);
}

/** Shows how far it is. @returns whether to look again */
async function follow() {
  const answer = await fetch(location.href, { headers: { 'Console-Refresh': 'true' } }).catch(() => undefined);
  if (answer === undefined || answer.status >= 500) return true;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  if (!fresh.querySelector('main[data-waits]')) {
    location.reload();
    return false;
  }
  for (const part of fresh.querySelectorAll('[data-part]')) {
    const old = main.querySelector(`[data-part="${part.dataset.part}"]`);
    if (old && old.innerHTML !== part.innerHTML) old.replaceChildren(...document.adoptNode(part).childNodes);
  }
  return true;
}
