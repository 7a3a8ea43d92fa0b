// Files of the app that can't be loaded, mostly because the app was updated since the page was opened.

const NAME = 'MissingFileError';

declare global {
  /** The build calls it after each failed import() of a file. */
  var importAgain: ((file: string, error: unknown) => Promise<unknown>) | undefined;
}

const failures = new Map<string, number>();

/**
 * Chromium remembers a failed import() until the page is reloaded, and another query makes it another file.
 * @param file relative to this one
 * @throws the error of the first failure, so that nothing is loaded twice at once
 */
async function retryImport(file: string, error: unknown): Promise<unknown> {
  const count = failures.get(file) ?? 0;
  failures.set(file, count + 1);
  if (count === 0) throw error;
  return import(/* @vite-ignore */ new URL(`${file}?again=${count}`, import.meta.url).href);
}

/** Marks failed imports, so that they are distinguishable from other errors. Call it once, before the first import(). */
export function markMissingFiles(): void {
  globalThis.importAgain = retryImport;
  addEventListener('vite:preloadError', ({ payload }) => {
    // The router reloads the page on the browser's own message, although a form may be open.
    payload.message = `A file of the app could not be loaded: ${payload.message}`;
    payload.name = NAME;
  });
}

export function isMissingFile(error: unknown): error is Error {
  return error instanceof Error && error.name === NAME;
}

/** @returns whether the server no longer has the file; false if it doesn't respond */
export async function fileIsGone(error: Error): Promise<boolean> {
  // Safari doesn't name the file. The entry file's name changes whenever any other does.
  const first = document.querySelector<HTMLScriptElement>('script[type=module][src]');
  const address = /https?:[^\s"']+/.exec(error.message)?.[0] ?? first?.src;
  if (address === undefined) return false;
  try {
    return (await fetch(address, { method: 'HEAD', cache: 'no-store' })).status === 404;
  } catch {
    return false; // Offline, so unknown.
  }
}
