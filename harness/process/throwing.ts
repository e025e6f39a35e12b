/** Preloaded into a program: SIGUSR2 makes it throw where nothing catches, SIGPWR reject where nothing handles. */
process.on('SIGUSR2', () => {
  throw new Error('thrown on purpose');
});
process.on('SIGPWR', () => {
  void Promise.reject(new Error('rejected on purpose'));
});
