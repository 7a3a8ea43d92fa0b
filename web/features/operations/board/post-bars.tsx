// The posts as bars on a time axis: all in a scrolling frame on the desk, a growing list on phones.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { EmptyList } from '#web/components/list/empty-list.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote } from '#web/components/ui/loaded.tsx';
import { useMediaQuery } from '#web/lib/app/media-query.ts';
import { formatHour, formatTime } from '#web/lib/format/dates.ts';
import { guessedFrame } from '#web/lib/render/guessed-frame.ts';
import { PostRow, ROW_HEIGHT } from './board-row.tsx';
import type { BoardRow } from './board-rows.ts';
import { HOUR_MS } from './seat-states.ts';
import { listTicks, percentAt, scaleAt, type TimeScale } from './time-scale.ts';

type PostBarsProps = {
  rows: readonly BoardRow[];
  /** Posts in all, if these are the gravest of more. */
  total: number | undefined;
  now: number;
  /** By filters or by a search. */
  isNarrowed: boolean;
  onOpen: (shiftId: string) => void;
};

const SHOWN_ON_PHONE = 30;
type AxisProps = {
  scale: TimeScale;
  now: number;
  /** Hours between ticks. */
  step: number;
  /** Hours from now: nearer ticks would touch its label. */
  room: number;
};

function Axis({ scale, now, step, room }: AxisProps) {
  return (
    <div aria-hidden="true" className="relative h-8 text-xs text-muted tabular-nums">
      {listTicks(scale, step)
        .filter((time) => Math.abs(time - now) > room * HOUR_MS)
        .map((time) => (
          <span
            key={time}
            className="absolute bottom-1 -translate-x-1/2 whitespace-nowrap"
            style={{ left: `${percentAt(scale, time)}%` }}
          >
            {formatHour(new Date(time).toISOString())}
          </span>
        ))}
      <span
        className="absolute bottom-0.5 -translate-x-1/2 rounded-xs bg-accent-fill px-1.5 font-semibold whitespace-nowrap text-accent-ink"
        style={{ left: `${percentAt(scale, now)}%` }}
      >
        {formatTime(new Date(now).toISOString())}
      </span>
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Arrow keys go to the next or previous post, from a bar to its bar; rows beyond the edge of the frame are rendered already. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = STEPS[event.key];
  if (step === undefined || !(event.target instanceof HTMLElement)) return;
  const row = event.target.closest('li');
  const place = Number(row?.getAttribute('aria-posinset'));
  const buttons = event.currentTarget.querySelectorAll<HTMLElement>(
    `li[aria-posinset="${place + step}"] button`,
  );
  const isPost = event.target === row?.querySelector('button');
  const next = buttons[isPost ? 0 : buttons.length - 1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** @param total posts in all, if the rows are the gravest of more */
function postCount(rows: number, total = 0): string {
  const count = total > rows ? `${formatCount(rows)} of ${formatCount(total)}` : formatCount(rows);
  return `${count} ${Math.max(rows, total) === 1 ? 'post' : 'posts'}`;
}

function PhoneList({ rows, total, now, onOpen }: PostBarsProps) {
  const [shown, setShown] = useState(SHOWN_ON_PHONE);
  const scale = useMemo(() => scaleAt(now), [now]);
  return (
    <div className="rounded-sm border border-line bg-raised">
      <div className="border-b border-line px-3">
        <Axis scale={scale} now={now} step={4} room={3} />
      </div>
      <ul aria-label="Posts">
        {rows.slice(0, shown).map((row) => (
          <li key={row.key}>
            <PostRow row={row} scale={scale} now={now} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      {rows.length > shown && (
        <Button variant="ghost" className="w-full" onClick={() => setShown(shown + SHOWN_ON_PHONE)}>
          Show more ({formatCount(rows.length - shown)})
        </Button>
      )}
      {total !== undefined && total > rows.length && rows.length <= shown && (
        <p className="px-3 py-2 text-sm text-muted">{postCount(rows.length, total)}</p>
      )}
    </div>
  );
}

function Frame({ rows, total, now, onOpen }: PostBarsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const scale = useMemo(() => scaleAt(now), [now]);
  const isWide = useMediaQuery('(width >= 100rem)');
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 4,
    initialRect: guessedFrame(),
  });
  return (
    <section
      ref={frame}
      aria-label="Posts"
      className="overflow-y-auto max-lg:h-[32rem] lg:min-h-0 lg:flex-1 rounded-sm border border-line bg-raised [--columns:clamp(14rem,46%,21rem)_minmax(0,1fr)]"
    >
      <div className="sticky top-0 z-20 grid grid-cols-(--columns) border-b border-line bg-sunken">
        <p className="self-end border-r border-line px-4 pb-1 text-xs text-muted">
          {postCount(rows.length, total)}
        </p>
        <Axis scale={scale} now={now} step={isWide ? 2 : 3} room={isWide ? 1.4 : 2.4} />
      </div>
      <ul className="relative" style={{ height: virtualizer.getTotalSize() }} onKeyDown={moveFocus}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index];
          return (
            row && (
              <li
                key={key}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0"
                style={{ top: start }}
              >
                <PostRow row={row} scale={scale} now={now} onOpen={onOpen} />
              </li>
            )
          );
        })}
      </ul>
    </section>
  );
}

export function PostBars(props: PostBarsProps) {
  const isPhone = useMediaQuery('(width < 48rem)');
  if (props.rows.length === 0) {
    return (
      <EmptyNote>
        {props.isNarrowed ? 'No post matches.' : <EmptyList noun="operations" />}
      </EmptyNote>
    );
  }
  return isPhone ? <PhoneList {...props} /> : <Frame {...props} />;
}
