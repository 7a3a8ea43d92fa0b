// Makes a photo small enough for a slow line, on the device. What it shows stays the right way up.

/** Bytes below which a photo is sent as it is, and which a shrunk one stays under. */
const SMALL_BYTES = 400_000;

/** Longest side in pixels and quality, tried in this order until the photo is small enough. */
const STEPS = [
  [1920, 0.8],
  [1600, 0.72],
  [1280, 0.7],
  [1024, 0.6],
  [800, 0.5],
  [480, 0.4],
] as const;

/** Types of which a moving picture or a page would be lost. */
const KEPT = ['image/gif', 'image/tiff'];

function drawn(photo: ImageBitmap, longest: number): HTMLCanvasElement {
  const scale = Math.min(1, longest / Math.max(photo.width, photo.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(photo.width * scale));
  canvas.height = Math.max(1, Math.round(photo.height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser can’t draw a photo.');
  // JPEG has no transparency, which would turn black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(photo, 0, 0, canvas.width, canvas.height);
  return canvas;
}

const encoded = (canvas: HTMLCanvasElement, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));

/** @returns the photo as pixels; undefined where this browser can't read it (HEIC in most) or it is none */
async function decoded(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    return undefined; // It is sent as it is, and the server judges its content.
  }
}

/**
 * @param file of any type
 * @returns a JPEG of less than {@link SMALL_BYTES}; the file itself where it is small already, no photo, or unreadable here
 */
export async function shrinkPhoto(file: File): Promise<Blob> {
  const isPhoto = file.type.startsWith('image/') && !KEPT.includes(file.type);
  if (!isPhoto || file.size < SMALL_BYTES) return file;
  const photo = await decoded(file);
  if (!photo) return file;
  try {
    for (const [longest, quality] of STEPS) {
      const canvas = drawn(photo, longest);
      const small = await encoded(canvas, quality);
      // Frees the pixels at once: a phone has few.
      canvas.width = 0;
      if (small && small.size < SMALL_BYTES) return small.size < file.size ? small : file;
    }
    return file;
  } finally {
    photo.close();
  }
}
