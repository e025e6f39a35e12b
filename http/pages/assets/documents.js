// Sends files in pieces, so that a lost connection or a reload costs one piece. Without this script the form sends them whole.
const form = document.getElementById('add');
const uploads = document.getElementById('uploads');
const inputs = [...form.querySelectorAll('input[type=file]')];
const words = form.dataset;
const MIN_PIECE = 256 * 1024;
const MAX_PIECES = 64;
const THUMBNAIL_PIXELS = 112;
const MAX_PAUSE_MS = 10_000;
// How long to try again automatically: a line may be gone for a tunnel or a lift, a service for a restart.
const MAX_OFFLINE_MS = 15 * 60_000;
const MAX_TROUBLE_MS = 3 * 60_000;

form.classList.add('drop');
form.addEventListener('submit', (event) => {
  event.preventDefault();
  send(chosen());
});
for (const name of ['dragover', 'dragleave', 'drop'])
  form.addEventListener(name, (event) => {
    event.preventDefault();
    form.classList.toggle('dragged', name === 'dragover');
    if (name !== 'drop' || event.dataTransfer.files.length === 0) return;
    inputs[0].files = event.dataTransfer.files;
    showChosen();
  });
for (const input of inputs) {
  // Either is enough. Without this script, it tells the style sheet whether a file was chosen.
  input.required = false;
  input.addEventListener('change', showChosen);
}
document.addEventListener('change', ({ target }) => showNames(target));

/** The names of the chosen files, in place of the words that ask for them. */
function showNames(input) {
  const shown = input.closest('.chooser')?.querySelector('.words');
  if (!shown) return;
  shown.dataset.words ??= shown.textContent;
  shown.textContent = [...input.files].map(({ name }) => name).join(', ') || shown.dataset.words;
}

/** Lists the chosen files with their pictures, before they are sent. */
function showChosen() {
  listed(chosen());
}

function chosen() {
  return inputs.flatMap((input) => [...input.files]);
}

function listed(files) {
  const rows = files.map((file) => row(file.name));
  uploads.replaceChildren(...rows.map(({ item }) => item));
  drawAll(files, rows);
  return rows;
}

async function send(files) {
  const type = form.elements.type.value;
  if (type === '' || files.length === 0) {
    uploads.replaceChildren(row('').item);
    tell(row.last, words[type === '' ? 'noType' : 'noFile'], true);
    (type === '' ? form.elements.type : inputs[0]).focus();
    return;
  }
  const button = form.querySelector('button');
  button.disabled = true;
  const rows = listed(files);
  for (const { bar } of rows) bar.hidden = false;
  let isStuck = false;
  try {
    for (const [index, file] of files.entries()) {
      // What stopped one file would stop the remaining files.
      if (isStuck) tell(rows[index], words.failed, true);
      else isStuck = await sendFile(file, type, rows[index]);
    }
    await showList();
  } finally {
    // The chosen files stay, so that Add continues the upload.
    if (!isStuck)
      for (const input of inputs) {
        input.value = '';
        showNames(input);
      }
    button.disabled = false;
  }
}

/** Why a file could not be sent, with its sentence. A stuck upload continues when the person presses Add. */
class Unsent extends Error {
  constructor(words, isStuck = false) {
    super(words);
    this.isStuck = isStuck;
  }
}

/** Returns whether the upload is stuck. */
async function sendFile(file, type, shown) {
  if (file.size > words.limit * 1024 * 1024) {
    tell(shown, words.large, true);
    return false;
  }
  try {
    tell(shown, words.sending);
    const ticket = file.size > 0 ? await sendPieces(file, shown) : undefined;
    // Only a file that still exists is empty.
    if (ticket === undefined) await read(file);
    tell(shown, words.checking);
    const body = new FormData();
    body.append('type', type);
    if (ticket === undefined) body.append('file', file);
    else {
      body.append('name', file.name);
      body.append('ticket', ticket);
    }
    const headers = { Accept: 'application/json' };
    const answer = await persist(shown, words.checking, form.action, { body, headers });
    forget(file);
    const { faults, answers } = await answer.json();
    const [fault] = faults;
    tell(shown, fault ? fault.message : [words.added, ...answers].join(' '), Boolean(fault));
    if (answers.length > 0) shown.item.classList.add('advised');
    return false;
  } catch (error) {
    const isStuck = error instanceof Unsent && error.isStuck;
    if (!isStuck) forget(file);
    tell(shown, error instanceof Unsent ? error.message : words.failed, true);
    return isStuck;
  }
}

/** Resumes an earlier upload of this tab. */
async function sendPieces(file, shown) {
  const length = Math.max(MIN_PIECE, Math.ceil(file.size / MAX_PIECES));
  let { ticket, sent } = recall(file) ?? { sent: 0 };
  while (sent < file.size) {
    shown.bar.value = sent / file.size;
    const piece = await read(file.slice(sent, sent + length));
    const headers = { 'Content-Type': 'application/octet-stream', Accept: 'application/json' };
    if (ticket) headers['Upload-Ticket'] = ticket;
    const answer = await persist(shown, words.sending, words.pieces, { body: piece, headers });
    ({ ticket } = await answer.json());
    sent += piece.byteLength;
    remember(file, { ticket, sent });
  }
  shown.bar.value = 1;
  return ticket;
}

/** Retries for a while when there is no connection, or the service is unavailable. */
async function persist(shown, doing, address, request) {
  let [since, former] = [Date.now(), ''];
  for (let pause = 500; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    const answer = await fetch(address, { ...request, method: 'POST', credentials: 'omit' }).catch(() => undefined);
    if (answer?.ok) {
      tell(shown, doing);
      return answer;
    }
    if (answer && answer.status < 500) throw new Unsent(words.failed);
    const [trouble, limitMs] = answer ? ['busy', MAX_TROUBLE_MS] : ['waiting', MAX_OFFLINE_MS];
    if (trouble !== former) [since, former] = [Date.now(), trouble];
    if (Date.now() - since > limitMs) throw new Unsent(answer ? words.trouble : words.lost, true);
    tell(shown, words[trouble]);
    await new Promise((resolve) => {
      setTimeout(resolve, pause);
      addEventListener('online', resolve, { once: true });
    });
  }
}

/**
 * A file that was changed, moved or removed after it was chosen cannot be read. Read by the request, it would look like a lost connection
 * in Chromium, and never end in Firefox.
 */
function read(piece) {
  return piece.arrayBuffer().catch(() => {
    throw new Unsent(words.unreadable);
  });
}

// Browsers that block site data throw at the mere mention of the storage: without it, a reload starts the upload again.
const memory = new Map();

function recall(file) {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(file)) ?? 'null') ?? memory.get(keyOf(file));
  } catch {
    return memory.get(keyOf(file));
  }
}

function remember(file, progress) {
  memory.set(keyOf(file), progress);
  try {
    sessionStorage.setItem(keyOf(file), JSON.stringify(progress));
  } catch {
    // `memory` serves until the page is left.
  }
}

function forget(file) {
  memory.delete(keyOf(file));
  try {
    sessionStorage.removeItem(keyOf(file));
  } catch {
    // Nothing was stored.
  }
}

function keyOf({ name, size, lastModified }) {
  return ['upload', location.pathname, name, size, lastModified].join(' ');
}

function row(name) {
  const item = document.createElement('li');
  const bar = document.createElement('progress');
  const text = document.createElement('small');
  const label = document.createElement('bdi');
  label.textContent = name;
  bar.value = 0;
  bar.hidden = true;
  bar.setAttribute('aria-label', name);
  if (name === '') item.append(text);
  else item.append(label, bar, text);
  row.last = { item, bar, text };
  return row.last;
}

/** One after another: a large photo takes much memory while it is decoded. */
async function drawAll(files, rows) {
  for (const [index, file] of files.entries()) await draw(file, rows[index].item);
}

/** A small picture of a photo. Files that the browser cannot decode have none. */
async function draw(file, item) {
  if (!file.type.startsWith('image/') || !item.isConnected) return;
  const options = { resizeHeight: THUMBNAIL_PIXELS, resizeQuality: 'medium' };
  const picture = await createImageBitmap(file, options).catch(() => undefined);
  if (!picture) return;
  const canvas = document.createElement('canvas');
  canvas.width = Math.min(picture.width, THUMBNAIL_PIXELS);
  canvas.height = picture.height;
  canvas.setAttribute('aria-hidden', 'true');
  canvas.getContext('2d').drawImage(picture, (canvas.width - picture.width) / 2, 0);
  picture.close();
  item.classList.add('pictured');
  item.prepend(canvas);
}

function tell({ item, bar, text }, words, isWrong = false) {
  // A screen reader announces each change.
  if (text.textContent !== words) text.textContent = words;
  item.classList.toggle('wrong', isWrong);
  if (isWrong) bar.remove();
}

async function showList() {
  const answer = await fetch(location.pathname + location.search, { cache: 'no-store', credentials: 'omit' }).catch(
    () => undefined,
  );
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const focused = document.activeElement;
  for (const part of ['.progress', '#wanted-list', '#documents']) {
    // What the person has opened meanwhile stays as it is, with the file that they chose in it.
    for (const opened of document.querySelectorAll(`${part} details[open]`))
      page.getElementById(opened.id)?.replaceWith(opened);
    document.querySelector(part).replaceWith(page.querySelector(part));
  }
  if (focused?.isConnected) focused.focus({ preventScroll: true });
}
