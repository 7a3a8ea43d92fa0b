// A small picture of who clocks in. Nothing waits for it, and no event needs it.
import { smallPicture } from '#web/lib/photos/small-picture.ts';

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

export const takePicture = (video: HTMLVideoElement) =>
  smallPicture(video, video.videoWidth, video.videoHeight);
