import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { openReader } from './camera.ts';

/** Between two looks at the picture. */
const PAUSE_MS = 200;
/** The same label is not read twice within this time. */
const REPEAT_MS = 4_000;

const REASONS = {
  refused: 'The camera is not allowed. Allow it in the settings of the browser, or type the code.',
  missing: 'The camera can’t be opened. Type the code below the label.',
};

type ScannerProps = { onCode: (code: string) => void };

export function Scanner({ onCode }: ScannerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [failure, setFailure] = useState<keyof typeof REASONS>();
  const report = useEffectEvent(onCode);
  useEffect(() => {
    const stopping = new AbortController();
    const { signal } = stopping;
    let stream: MediaStream | undefined;
    let last = { text: '', at: 0 };
    async function watch() {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      const shown = video.current;
      if (!shown || signal.aborted) return;
      shown.srcObject = stream;
      const [read] = await Promise.all([openReader(), shown.play()]);
      while (!signal.aborted) {
        const text = await read(shown);
        const isRepeat = text === last.text && performance.now() - last.at < REPEAT_MS;
        if (text && !isRepeat && !signal.aborted) {
          last = { text, at: performance.now() };
          report(text);
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
    watch()
      .catch((error: unknown) => {
        if (signal.aborted) return;
        console.warn('The camera can’t scan:', error);
        const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
        setFailure(isRefused ? 'refused' : 'missing');
      })
      .finally(() => {
        if (signal.aborted) stop();
      });
    function stop() {
      for (const track of stream?.getTracks() ?? []) track.stop();
    }
    return () => {
      stopping.abort();
      stop();
    };
  }, []);
  if (failure) return <p className="font-semibold">{REASONS[failure]}</p>;
  return (
    <video
      ref={video}
      muted
      playsInline
      aria-label="Camera"
      className="aspect-square max-h-72 w-full rounded-sm bg-black object-cover"
    />
  );
}
