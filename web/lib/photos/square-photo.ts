import { decoded, encoded } from './shrink-photo.ts';

/** Longest side in pixels. */
const SIDE = 512;
const QUALITY = 0.82;

/**
 * Cuts the photo of a person to a square and shrinks it on the device. Applies its orientation.
 * @returns a JPEG, far below the 300 kB that the bucket takes
 * @throws if the browser can't decode it
 */
export async function squarePhoto(file: Blob): Promise<Blob> {
  const photo = await decoded(file);
  if (!photo) throw new Error('This file can’t be opened as a photo. Choose a JPEG or PNG.');
  try {
    const cut = Math.min(photo.width, photo.height);
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = Math.min(SIDE, cut);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('This browser can’t resize photos.');
    // JPEG has no transparency, which would turn black.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.width);
    context.imageSmoothingQuality = 'high';
    const left = (photo.width - cut) / 2;
    // In upright photos of people the head is above the middle.
    const top = (photo.height - cut) / 4;
    context.drawImage(photo, left, top, cut, cut, 0, 0, canvas.width, canvas.width);
    const square = await encoded(canvas, QUALITY);
    if (!square) throw new Error('This browser can’t resize photos.');
    return square;
  } finally {
    photo.close();
  }
}
