// Holds something back until a journey has seen what it looks like meanwhile.

/** @returns a promise, and the call that fulfils it */
export function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
