// Delays a response until the test has checked the loading state.

/** @returns a promise and the function that resolves it */
export function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
