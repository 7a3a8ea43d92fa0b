// Pictures of clock events: small enough to be sent with the event.

/** Longest side in pixels, and JPEG quality; the first below the limit is taken. */
const STEPS = [
  [400, 0.7],
  [320, 0.6],
  [240, 0.5],
] as const;
/** Bytes. The database takes no larger ones. */
const MAX_BYTES = 40_000;

/**
 * @param width of the source in pixels
 * @returns undefined if the source shows nothing yet
 */
export async function smallPicture(
  source: CanvasImageSource,
  width: number,
  height: number,
): Promise<Blob | undefined> {
  if (width === 0 || height === 0) return undefined;
  const canvas = document.createElement('canvas');
  for (const [longest, quality] of STEPS) {
    const scale = Math.min(1, longest / Math.max(width, height));
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    canvas.getContext('2d')?.drawImage(source, 0, 0, canvas.width, canvas.height);
    const picture = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, 'image/jpeg', quality),
    );
    if (picture && picture.size < MAX_BYTES) return picture;
  }
  return undefined;
}

export async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
