import { Link } from '@tanstack/react-router';
import { formatCount } from '#shared/count.ts';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { cn } from '#web/lib/cn.ts';
import { WORD_HINTS } from '#web/lib/vocabulary/duty-words.ts';
import { type Start, useStart } from './api.ts';

/** A filter of the board. */
type SeatState = 'on_post' | 'late' | 'missing' | 'empty';

type FigureProps = {
  name: string;
  hint: string;
  count: number;
  /** Of the seats that the board shows. */
  state?: SeatState;
  tone?: string | false;
};

function Figure({ name, hint, count, state, tone }: FigureProps) {
  return (
    <li className="min-w-0">
      <Link
        to="/admin/operations"
        search={state ? { state } : {}}
        className="group block rounded-xs leading-tight"
      >
        <span className="text-sm text-muted">{name}</span>{' '}
        <span
          className={cn(
            'block text-2xl leading-tight font-semibold tabular-nums underline-offset-4 group-hover:underline',
            tone,
          )}
        >
          {formatCount(count)}
        </span>{' '}
        <span className="block text-xs leading-snug text-muted">{hint}</span>
      </Link>
    </li>
  );
}

const BAR = [
  { key: 'on_post', colour: 'bg-success' },
  { key: 'late', colour: 'bg-warning' },
  { key: 'missing', colour: 'bg-danger/60' },
  { key: 'uncovered', colour: 'bg-danger' },
] as const;

function Figures({ start }: { start: Start }) {
  const { required, on_post, late, missing, uncovered } = start;
  const all = Math.max(on_post + late + missing + uncovered, 1);
  return (
    <>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-5">
        <Figure name="Posts now" hint="Seats of running shifts" count={required} />
        <Figure
          name="Covered"
          hint={`${WORD_HINTS.covered}; the board adds who came early`}
          count={on_post}
          state="on_post"
        />
        <Figure
          name="Late"
          hint={WORD_HINTS.late}
          count={late}
          state="late"
          tone={late > 0 && 'text-warning'}
        />
        <Figure
          name="Missing"
          hint={WORD_HINTS.missing}
          count={missing}
          state="missing"
          tone={missing > 0 && 'text-danger'}
        />
        <Figure
          name="Uncovered"
          hint={`${WORD_HINTS.uncovered}; the board adds the next 2 hours`}
          count={uncovered}
          state="empty"
          tone={uncovered > 0 && 'text-danger'}
        />
      </ul>
      <div
        aria-hidden="true"
        className="mt-3 flex h-1.5 gap-0.5 overflow-hidden rounded-full bg-sunken"
      >
        {BAR.map(({ key, colour }) => (
          <span key={key} className={colour} style={{ width: `${(start[key] / all) * 100}%` }} />
        ))}
      </div>
    </>
  );
}

/** Posts that should be staffed now. Each figure opens the board with the seats that it counts. */
export const Coverage = () => (
  <Panel title="Coverage" isSmall className="min-h-68 sm:min-h-36">
    <Loaded
      query={useStart()}
      loadingText="Loading coverage..."
      missing="The coverage could not be loaded"
      placeholder={<Spinner className="mx-auto my-6 text-muted" />}
    >
      {(start) => <Figures start={start} />}
    </Loaded>
  </Panel>
);
