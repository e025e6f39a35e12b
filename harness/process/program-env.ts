/** What a program of ours is started with, apart from its settings: it is compiled once for a whole run of the suite. */
export function programEnv(): Record<string, string> {
  const compiled = process.env['NODE_COMPILE_CACHE'];
  return { PATH: process.env['PATH'] ?? '', SETTINGS_FILE: '', ...(compiled ? { NODE_COMPILE_CACHE: compiled } : {}) };
}
