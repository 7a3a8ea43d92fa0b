// A small picture of who clocks in. Nothing waits for it, and no event needs it.

/** Longest side in pixels, and JPEG quality; the first below the limit is taken. */
const STEPS = [
  [400, 0.7],
  [320, 0.6],
  [240, 0.5],
] as const;
/** Bytes. The database takes no larger ones. */
const MAX_BYTES = 40_000;

/** @returns undefined without a camera or the permission to use it */
export async function openCamera(): Promise<MediaStream | undefined> {
  try {
    return await navigator.mediaDevices.getUserMedia({
      video: { facingMode: 'user', width: { ideal: 640 } },
    });
  } catch {
    return undefined;
  }
}

export async function takePicture(video: HTMLVideoElement): Promise<Blob | undefined> {
  const { videoWidth, videoHeight } = video;
  if (videoWidth === 0) return undefined;
  const canvas = document.createElement('canvas');
  for (const [longest, quality] of STEPS) {
    const scale = Math.min(1, longest / Math.max(videoWidth, videoHeight));
    canvas.width = Math.round(videoWidth * scale);
    canvas.height = Math.round(videoHeight * scale);
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
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
