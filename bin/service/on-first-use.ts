/** What is opened with its first use. */
export interface OnFirstUse<Opened> {
  /** Opens it, unless it is open. What failed is tried again by the next. */
  use(): Promise<Opened>;
  close(): Promise<void>;
}

/**
 * For what takes long to load or to open and is not used by most commands of the command line. What is used only after it was
 * closed answers as what is closed does.
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
