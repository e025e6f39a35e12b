/** For `node --import`: the clock of the process is off by CLOCK_OFF_MS. */
const offMs = Number(process.env['CLOCK_OFF_MS']);
const rightNow = Date.now;
Date.now = () => rightNow() + offMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [target.now()], made),
});
