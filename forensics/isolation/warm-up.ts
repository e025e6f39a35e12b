/** Loads what every PDF is read with, before there is one: a process that waits for its document has time for it. */
export async function warmUp(): Promise<void> {
  const { reader } = await import('../pdf/paint-open.ts');
  await reader();
}
