import { Link } from '@tanstack/react-router';
import { Camera, Check, Undo2, UserSearch } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { markPressed, OppositeButton } from '#web/components/ui/opposite-button.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import { smallPicture } from '#web/lib/photos/small-picture.ts';
import { locate, type Position } from '#web/lib/position/locate.ts';
import { type Mark, muster, type MusterRow as Row } from './api.ts';

/** The place that the row's opposite buttons share. */
export const musterSpot = ({ assignment_id }: Row) => `muster ${assignment_id}`;

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
  /** Whether the shift has. */
  hasBegun: boolean;
  /** The last mark that is not sent yet. */
  waiting: Mark | undefined;
  /** The last one known. */
  position: Position | undefined;
  /** On this round: what was marked before can be corrected in Attendance. */
  marked: Mark | undefined;
  onMark: (mark: Mark) => void;
  /** While all of the post are marked at once. */
  isLocked: boolean;
};

type State = 'none' | 'absent' | 'in' | 'out';

const AFTER: Record<Mark, State> = {
  in: 'in',
  withdraw: 'none',
  absent: 'absent',
  expected: 'none',
};

function stateOf({ attendance_state, is_absent }: Row, waiting: Mark | undefined): State {
  if (waiting) return AFTER[waiting];
  if (attendance_state === 'in' || attendance_state === 'out') return attendance_state;
  return is_absent ? 'absent' : 'none';
}

type StateBadgeProps = { row: Row; state: State; isWaiting: boolean };

function StateBadge({ row, state, isWaiting }: StateBadgeProps) {
  const { clock_in_at, timezone } = row;
  if (state === 'out') return <Badge tone="grey">Clocked out</Badge>;
  if (isWaiting && state === 'in') return <Badge tone="blue">At post, waiting to send</Badge>;
  if (isWaiting && state === 'absent') return <Badge tone="blue">Not here, waiting to send</Badge>;
  if (state === 'absent') return <Badge tone="red">Not here</Badge>;
  if (state !== 'in' || !clock_in_at) return null;
  return <Badge tone="green">Clocked in {formatTime(clock_in_at, timezone)}</Badge>;
}

/** One guard: one tap, or one with a picture. The row itself says what was done: a toast would lie over the next one. */
export function MusterRow(props: MusterRowProps) {
  const { row, userId, hasBegun, waiting, position, marked, onMark } = props;
  const [isMarking, setMarking] = useState(false);
  const isBusy = isMarking || props.isLocked;
  const camera = useRef<HTMLInputElement>(null);
  const { guard_name, role_at_shift, start_time, end_time, timezone } = row;
  const state = stateOf(row, waiting);
  const spot = musterSpot(row);

  async function mark(kind: Mark, file?: File) {
    if (isBusy) return;
    setMarking(true);
    try {
      const [where, picture] = await Promise.all([
        kind === 'in' ? (position ?? locate()) : undefined,
        file ? pictureOf(file) : undefined,
      ]);
      await muster({ userId, row, mark: kind, position: where, picture });
      onMark(kind);
    } catch (error) {
      showError('Error', describeError(error));
    } finally {
      setMarking(false);
    }
  }

  function markWithPicture({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0];
    target.value = '';
    if (!file) return;
    markPressed(spot, 'in');
    void mark('in', file);
  }

  const isUndone = marked === 'in' || marked === 'absent';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <p className="mr-auto min-w-40 flex-1">
        <span className="font-semibold [overflow-wrap:anywhere]">{guard_name}</span>
        <SecondLine wraps className="tabular-nums">
          {formatTime(start_time, timezone)} - {formatTime(end_time, timezone)}
          {role_at_shift && `, ${role_at_shift}`}
        </SecondLine>
      </p>
      <span role="status">
        <StateBadge row={row} state={state} isWaiting={waiting !== undefined} />
      </span>
      {state === 'absent' && waiting === undefined && (
        <Link
          to="/admin/shifts"
          search={{ open: row.shift_id, tab: 'replacement' }}
          aria-label={`Find Replacement for ${guard_name}`}
          className={buttonStyles({ variant: 'secondary' })}
        >
          <UserSearch aria-hidden="true" className="size-4" /> Find Replacement
        </Link>
      )}
      {(state === 'in' || state === 'absent') && isUndone && (
        <OppositeButton
          {...{ spot, action: `undo ${state}`, settled: state === 'in' ? 'At post' : 'Not here' }}
          variant="secondary"
          busy={isBusy}
          aria-label={`Undo, ${guard_name}`}
          onClick={() => void mark(state === 'in' ? 'withdraw' : 'expected')}
        >
          <Undo2 aria-hidden="true" className="size-4" /> Undo
        </OppositeButton>
      )}
      {(state === 'none' || (state === 'absent' && !isUndone)) && (
        <span className="flex flex-wrap gap-2">
          <OppositeButton
            {...{ spot, action: 'in', settled: 'Taken back' }}
            busy={isBusy}
            aria-label={`${guard_name} is at post`}
            onClick={() => void mark('in')}
          >
            <Check aria-hidden="true" className="size-5" /> At Post
          </OppositeButton>
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
          {state === 'none' && hasBegun && (
            <OppositeButton
              {...{ spot, action: 'absent', settled: 'Not Here' }}
              variant="secondary"
              disabled={isBusy}
              aria-label={`${guard_name} is not here`}
              onClick={() => void mark('absent')}
            >
              Not Here
            </OppositeButton>
          )}
        </span>
      )}
    </li>
  );
}
