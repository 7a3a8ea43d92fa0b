import { Mic, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';

const MAX_SECONDS = 180;
/** Speech is clear with it, and three minutes are half a megabyte. */
const BITS_PER_SECOND = 24_000;
/** Safari records the second. */
const KINDS = [
  ['audio/webm', 'webm'],
  ['audio/mp4', 'm4a'],
] as const;

const recordedKind = () =>
  typeof MediaRecorder === 'undefined' || !('mediaDevices' in navigator)
    ? undefined
    : KINDS.find(([type]) => MediaRecorder.isTypeSupported(type));

const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

type VoiceNoteProps = {
  /** How many files there are, for the name of this one. */
  count: number;
  onRecorded: (file: File) => void;
};

/** Records what a guard says instead of typing it. Nothing is shown where the browser can't record. */
export function VoiceNote({ count, onRecorded }: VoiceNoteProps) {
  const kind = recordedKind();
  const recorder = useRef<MediaRecorder>(undefined);
  const [seconds, setSeconds] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const isRecording = seconds !== undefined;

  useEffect(
    () => () => {
      for (const track of recorder.current?.stream.getTracks() ?? []) track.stop();
    },
    [],
  );
  useEffect(() => {
    if (!isRecording) return;
    const timer = setInterval(() => setSeconds((before = 0) => before + 1), 1000);
    return () => clearInterval(timer);
  }, [isRecording]);
  useEffect(() => {
    if (seconds === MAX_SECONDS) recorder.current?.stop();
  }, [seconds]);

  if (!kind) return null;
  const [type, extension] = kind;

  async function record() {
    setProblem(undefined);
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      const started = new MediaRecorder(stream, {
        mimeType: type,
        audioBitsPerSecond: BITS_PER_SECOND,
      });
      const parts: Blob[] = [];
      started.ondataavailable = ({ data }) => parts.push(data);
      started.onstop = () => {
        for (const track of stream.getTracks()) track.stop();
        setSeconds(undefined);
        onRecorded(new File(parts, `voice-note-${count + 1}.${extension}`, { type }));
      };
      recorder.current = started;
      started.start();
      setSeconds(0);
    } catch (error) {
      console.warn('The microphone could not be used:', error);
      setProblem('Allow the microphone in the browser’s settings for this site, or write instead.');
    }
  }
  return (
    <>
      <Button
        variant={isRecording ? 'danger' : 'secondary'}
        className="min-h-14 flex-1 basis-full"
        onClick={() => (isRecording ? recorder.current?.stop() : void record())}
      >
        {isRecording ? (
          <Square aria-hidden="true" className="size-4.5" />
        ) : (
          <Mic aria-hidden="true" className="size-4.5" />
        )}
        {isRecording ? 'Stop Recording' : 'Record Voice Note'}
        {isRecording && (
          <span aria-hidden="true" className="tabular-nums">
            {clock(seconds)} of {clock(MAX_SECONDS)}
          </span>
        )}
      </Button>
      {problem && (
        <Alert tone="danger" title="Not recorded">
          {problem}
        </Alert>
      )}
    </>
  );
}
