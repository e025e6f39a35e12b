/** A part that is opened on first use. */
export interface OnFirstUse<Opened> {
  /** Opens the part unless it is open. The next call retries a failure. */
  use(): Promise<Opened>;
  close(): Promise<void>;
}

/**
 * For parts that are slow to load and that most commands never use. A part first used after `close` is closed at once.
 */
export function onFirstUse<Opened>(
  open: () => Promise<Opened>,
  end: (opened: Opened) => Promise<unknown>,
): OnFirstUse<Opened> {
  let opening: Promise<Opened> | undefined;
  let isClosed = false;
  const openOnce = async () => {
    const isLate = isClosed;
    try {
      const opened = await open();
      if (isLate) await end(opened);
      return opened;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
  return {
    use() {
      opening ??= openOnce();
      return opening;
    },
    async close() {
      isClosed = true;
      const opened = await opening?.catch(() => undefined);
      if (opened !== undefined) await end(opened);
    },
  };
}
