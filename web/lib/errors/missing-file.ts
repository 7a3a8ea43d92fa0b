// When a file of the app can't be loaded: mostly because the app was updated since the page was opened.

const NAME = 'MissingFileError';

/** Marks failures to load a file, so that they can be told from all others. To be called once, before the first. */
export function markMissingFiles(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    // At the browser's own message the router reloads the page by itself, and a form may be open.
    payload.message = `A file of the app could not be loaded: ${payload.message}`;
    payload.name = NAME;
  });
}

export function isMissingFile(error: unknown): error is Error {
  return error instanceof Error && error.name === NAME;
}

/** @returns whether the server says that there is no such file any more; false where it does not answer */
export async function fileIsGone(error: Error): Promise<boolean> {
  // Safari does not say which file it was. The name of the first one changes with every other.
  const first = document.querySelector<HTMLScriptElement>('script[type=module][src]');
  const address = /https?:[^\s"']+/.exec(error.message)?.[0] ?? first?.src;
  if (address === undefined) return false;
  try {
    return (await fetch(address, { method: 'HEAD', cache: 'no-store' })).status === 404;
  } catch {
    return false; // Without a network nobody knows.
  }
}
