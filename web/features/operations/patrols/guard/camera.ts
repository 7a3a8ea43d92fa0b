// Reads QR codes from a video: with the browser's detector, else with a decoder that is loaded only then.

type Read = (video: HTMLVideoElement) => Promise<string | undefined>;

type Detector = { detect(source: HTMLVideoElement): Promise<readonly { rawValue: string }[]> };
type DetectorClass = {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
};
declare global {
  interface Window {
    /** Chrome on Android, ChromeOS and macOS. */
    BarcodeDetector?: DetectorClass;
  }
}

/** Longest side of the picture that the decoder gets, pixels: enough for a label at arm's length. */
const DECODED_SIZE = 640;

async function detectorRead(): Promise<Read | undefined> {
  const { BarcodeDetector } = window;
  const formats = await BarcodeDetector?.getSupportedFormats().catch((): string[] => []);
  if (!BarcodeDetector || !formats?.includes('qr_code')) return undefined;
  const detector = new BarcodeDetector({ formats: ['qr_code'] });
  return async (video) => (await detector.detect(video))[0]?.rawValue;
}

async function decoderRead(): Promise<Read> {
  const { decodeQR } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (video) => {
    const scale = Math.min(1, DECODED_SIZE / Math.max(video.videoWidth, video.videoHeight));
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    if (!context || canvas.width === 0) return undefined;
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    try {
      return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height));
    } catch {
      // There is no code in this picture.
      return undefined;
    }
  };
}

export const openReader = async (): Promise<Read> => (await detectorRead()) ?? decoderRead();
