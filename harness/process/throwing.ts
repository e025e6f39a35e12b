/** Preloaded into a program: SIGUSR2 causes an uncaught exception, SIGPWR an unhandled rejection. */
process.on('SIGUSR2', () => {
  throw new Error('thrown on purpose');
});
process.on('SIGPWR', () => {
  void Promise.reject(new Error('rejected on purpose'));
});
