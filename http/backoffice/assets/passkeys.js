// Creates a passkey, or signs in with one: the form sends what the browser answers. Where browsers lack passkeys, the form stays hidden.
const canParse =
  window.PublicKeyCredential?.parseCreationOptionsFromJSON && PublicKeyCredential.parseRequestOptionsFromJSON;

if (canParse)
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.hidden = false;
    for (const instead of document.querySelectorAll('[data-without-passkeys]')) instead.hidden = true;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      answerOf(form.dataset).then(
        (credential) => {
          form.elements.namedItem('credential').value = JSON.stringify(credential);
          form.submit();
        },
        () => {
          form.querySelector('[role="status"]').hidden = false;
        },
      );
    });
  }

/** Asks the authenticator. A challenge to sign in is fetched when it is needed: pages stay open for long. */
async function answerOf({ creation, request }) {
  if (creation)
    return navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(creation)),
    });
  const answer = await fetch(request);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await answer.json());
  return navigator.credentials.get({ publicKey });
}
