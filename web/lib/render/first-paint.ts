// Tells when the first picture is on screen: what it can do without begins after it.
let resolve = () => {};

/** Resolves when the first picture has been drawn. */
export const firstPictureDrawn = new Promise<void>((done) => {
  resolve = done;
});

/** Pages in the background are never drawn. */
const LONGEST_MS = 500;

/** To be called when the first picture stands in the document. */
export function firstPictureStands(): void {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, LONGEST_MS);
}
