import { Camera, Check } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import { waitingText } from '#web/lib/outbox/submit.ts';
import { smallPicture } from '#web/lib/photos/small-picture.ts';
import { locate, type Position } from '#web/lib/position/locate.ts';
import { muster, type MusterRow as Row } from './api.ts';

/** @returns undefined if the browser can't decode it: the muster goes without a picture */
async function pictureOf(file: File): Promise<Blob | undefined> {
  try {
    const photo = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const picture = await smallPicture(photo, photo.width, photo.height);
    photo.close();
    return picture;
  } catch {
    return undefined;
  }
}

type MusterRowProps = {
  row: Row;
  userId: string;
  isWaiting: boolean;
  /** The last one known. */
  position: Position | undefined;
};

/** One guard: one tap, or one with a picture. */
export function MusterRow({ row, userId, isWaiting, position }: MusterRowProps) {
  const [isBusy, setBusy] = useState(false);
  const camera = useRef<HTMLInputElement>(null);
  const { guard_name, role_at_shift, start_time, end_time, timezone, clock_in_at } = row;
  const isIn = row.attendance_state === 'in';

  async function mark(file?: File) {
    if (isBusy) return;
    setBusy(true);
    try {
      const [where, picture] = await Promise.all([
        position ?? locate(),
        file ? pictureOf(file) : undefined,
      ]);
      const outcome = await muster({ userId, row, position: where, picture });
      showSuccess(`${guard_name} is at post`, waitingText(outcome));
    } catch (error) {
      showError('Error', describeError(error));
    } finally {
      setBusy(false);
    }
  }

  function markWithPicture({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0];
    target.value = '';
    if (file) void mark(file);
  }

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <p className="mr-auto min-w-40 flex-1">
        <span className="font-semibold [overflow-wrap:anywhere]">{guard_name}</span>
        <SecondLine wraps className="tabular-nums">
          {formatTime(start_time, timezone)} - {formatTime(end_time, timezone)}
          {role_at_shift && `, ${role_at_shift}`}
        </SecondLine>
      </p>
      {isWaiting && <Badge tone="blue">At post, waiting to send</Badge>}
      {!isWaiting && isIn && clock_in_at && (
        <Badge tone="green">Clocked in {formatTime(clock_in_at, timezone)}</Badge>
      )}
      {!isWaiting && row.attendance_state === 'out' && <Badge tone="grey">Clocked out</Badge>}
      {!isWaiting && row.attendance_state === 'none' && (
        <span className="flex gap-2">
          <Button busy={isBusy} aria-label={`${guard_name} is at post`} onClick={() => void mark()}>
            <Check aria-hidden="true" className="size-5" /> At Post
          </Button>
          <Button
            variant="secondary"
            size="icon"
            disabled={isBusy}
            aria-label={`${guard_name} is at post, with a picture`}
            onClick={() => camera.current?.click()}
          >
            <Camera aria-hidden="true" className="size-5" />
          </Button>
          <input
            ref={camera}
            type="file"
            accept="image/*"
            capture="environment"
            aria-hidden="true"
            tabIndex={-1}
            className="hidden"
            onChange={markWithPicture}
          />
        </span>
      )}
    </li>
  );
}
