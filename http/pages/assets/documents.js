// Sends files in pieces, so that a lost connection or a reload costs one piece. Without this script the form sends them whole.
const form = document.getElementById('add');
const uploads = document.getElementById('uploads');
const inputs = [...form.querySelectorAll('input[type=file]')];
const words = form.dataset;
const MIN_PIECE = 256 * 1024;
const MAX_PIECES = 64;
const MAX_PAUSE_MS = 10_000;

form.noValidate = true;
form.classList.add('drop');
form.addEventListener('submit', (event) => {
  event.preventDefault();
  send(inputs.flatMap((input) => [...input.files]));
});
for (const name of ['dragover', 'dragleave', 'drop'])
  form.addEventListener(name, (event) => {
    event.preventDefault();
    form.classList.toggle('dragged', name === 'dragover');
    if (name === 'drop' && event.dataTransfer.files.length > 0) inputs[0].files = event.dataTransfer.files;
  });

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
  uploads.replaceChildren();
  const rows = files.map((file) => row(file.name));
  uploads.append(...rows.map(({ item }) => item));
  for (const [index, file] of files.entries()) await sendFile(file, type, rows[index]);
  await showList();
  for (const input of inputs) input.value = '';
  button.disabled = false;
}

async function sendFile(file, type, shown) {
  if (file.size > words.limit * 1024 * 1024) return tell(shown, words.large, true);
  try {
    tell(shown, words.sending);
    const ticket = file.size > 0 ? await sendPieces(file, shown) : undefined;
    tell(shown, words.checking);
    const body = new FormData();
    body.append('type', type);
    if (ticket === undefined) body.append('file', file);
    else {
      body.append('name', file.name);
      body.append('ticket', ticket);
    }
    const answer = await persist(shown, words.checking, () =>
      fetch(form.action, { method: 'POST', body, headers: { Accept: 'application/json' }, credentials: 'omit' }),
    );
    sessionStorage.removeItem(keyOf(file));
    if (!answer.ok) return tell(shown, words.failed, true);
    const [fault] = (await answer.json()).faults;
    tell(shown, fault ? fault.message : words.added, Boolean(fault));
  } catch {
    sessionStorage.removeItem(keyOf(file));
    tell(shown, words.failed, true);
  }
}

/** Resumes an earlier upload of this tab. */
async function sendPieces(file, shown) {
  const length = Math.max(MIN_PIECE, Math.ceil(file.size / MAX_PIECES));
  let { ticket, sent } = JSON.parse(sessionStorage.getItem(keyOf(file)) ?? '{"sent":0}');
  while (sent < file.size) {
    shown.bar.value = sent / file.size;
    const piece = file.slice(sent, sent + length);
    const headers = { 'Content-Type': 'application/octet-stream', Accept: 'application/json' };
    if (ticket) headers['Upload-Ticket'] = ticket;
    const answer = await persist(shown, words.sending, () =>
      fetch(words.pieces, { method: 'POST', body: piece, headers, credentials: 'omit' }),
    );
    if (!answer.ok) throw new Error(answer.statusText);
    ({ ticket } = await answer.json());
    sent += piece.size;
    sessionStorage.setItem(keyOf(file), JSON.stringify({ ticket, sent }));
  }
  shown.bar.value = 1;
  return ticket;
}

/** Retries while there is no connection, or the service is unavailable. */
async function persist(shown, doing, ask) {
  for (let pause = 500; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    const answer = await ask().catch(() => undefined);
    if (answer && answer.status < 500) {
      tell(shown, doing);
      return answer;
    }
    tell(shown, words.waiting);
    await new Promise((resolve) => {
      setTimeout(resolve, pause);
      addEventListener('online', resolve, { once: true });
    });
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
  bar.setAttribute('aria-label', name);
  if (name === '') item.append(text);
  else item.append(label, bar, text);
  row.last = { item, bar, text };
  return row.last;
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
  document.getElementById('documents').replaceWith(page.getElementById('documents'));
  document.querySelector('.progress').replaceWith(page.querySelector('.progress'));
}
