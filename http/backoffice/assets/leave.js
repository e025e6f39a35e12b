// Takes a page off the screen once its session has ended without use. Without this script, it stays until the next click.
const { signIn, idleMs } = document.body.dataset;
setTimeout(() => location.replace(signIn), Number(idleMs));
