let resolve = () => {};

/** Resolves after the first screen has been painted. */
export const firstPaint = new Promise<void>((done) => {
  resolve = done;
});

/** Pages in background tabs are never painted. */
const MAX_WAIT_MS = 500;

/** Call it when the first screen has been committed to the document. */
export function notifyFirstCommit(): void {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, MAX_WAIT_MS);
}
