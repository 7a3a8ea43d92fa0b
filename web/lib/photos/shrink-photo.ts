/** Photos below this size in bytes are sent unchanged; larger ones are shrunk below it. */
const MAX_BYTES = 400_000;

/** Longest side in pixels, and JPEG quality; tried in this order. */
const STEPS = [
  [1920, 0.8],
  [1600, 0.72],
  [1280, 0.7],
  [1024, 0.6],
  [800, 0.5],
  [480, 0.4],
] as const;

/** Few browsers show it, and the office's none: a JPEG even when it is small. */
const APPLE_TYPES = ['image/heic', 'image/heif'];

/** Whether it is a photo that only its phone can show. */
export const isApplePhoto = (file: { name?: string; type: string }): boolean =>
  APPLE_TYPES.includes(file.type) || /\.hei[cf]$/i.test(file.name ?? '');

/** May have several frames or pages, which a JPEG would lose. */
const UNCHANGED_TYPES = ['image/gif', 'image/tiff'];

function toCanvas(photo: ImageBitmap, longest: number): HTMLCanvasElement {
  const scale = Math.min(1, longest / Math.max(photo.width, photo.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(photo.width * scale));
  canvas.height = Math.max(1, Math.round(photo.height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser can’t resize photos.');
  // JPEG has no transparency, which would turn black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(photo, 0, 0, canvas.width, canvas.height);
  return canvas;
}

export const encoded = (canvas: HTMLCanvasElement, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));

/** @returns undefined if the browser can't decode it (HEIC in most) */
export async function decoded(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    return undefined; // Sent unchanged; the server checks its content.
  }
}

/**
 * Shrinks a photo on the device, for slow connections. Applies its orientation.
 * @returns a JPEG below {@link MAX_BYTES}; the file itself if it is small and no HEIC, not a photo, or can't be decoded
 */
export async function shrinkPhoto(file: File): Promise<Blob> {
  const isApple = isApplePhoto(file);
  const isPhoto =
    (isApple || file.type.startsWith('image/')) && !UNCHANGED_TYPES.includes(file.type);
  if (!isPhoto || (file.size < MAX_BYTES && !isApple)) return file;
  const photo = await decoded(file);
  if (!photo) return file;
  try {
    for (const [longest, quality] of STEPS) {
      const canvas = toCanvas(photo, longest);
      const small = await encoded(canvas, quality);
      // Frees the memory immediately; phones have little.
      canvas.width = 0;
      if (!small || small.size >= MAX_BYTES) continue;
      return small.size < file.size || isApple ? small : file;
    }
    return file;
  } finally {
    photo.close();
  }
}
