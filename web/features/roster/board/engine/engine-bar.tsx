// Filling by the engine: what it may change, its progress, and why something stays open.
import { ChevronDown, ListX, Sparkles, Square } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import type { RosterInput } from '#shared/roster/input.ts';
import type { RosterResult } from '#shared/roster/roster-result.ts';
import type { FillMode } from '#shared/roster/seats.ts';
import { Button } from '#web/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { CopyRosterDialog } from '../copy-roster-dialog.tsx';
import type { RosterSession } from '../roster-session.ts';
import type { Move } from '../roster-store.ts';
import { useTopics } from '../topics.ts';
import { type EngineRun, startEngine } from './engine-client.ts';
import { describeGaps, describeProgress, describeQuality } from './result-words.ts';
import { UnfilledDialog } from './unfilled-dialog.tsx';

/** For the company's whole week; smaller parts need less. */
const SECONDS = { most: 18, least: 2, perShift: 0.02 };

const LABELS: Record<FillMode, string> = { fill: 'Fill', refill: 'Refill', repair: 'Repair' };

const movesOf = ({ assign, unassign }: RosterResult): Move[] => [
  ...unassign.map((pair) => ({ ...pair, on: false })),
  ...assign.map((pair) => ({ ...pair, on: true })),
];

function reportResult(mode: FillMode, result: RosterResult, input: RosterInput) {
  const { assign, unassign } = result;
  const left = describeGaps(result, input);
  if (assign.length + unassign.length === 0) {
    showSuccess('Nothing to change', left ?? 'Everything is filled.');
    return;
  }
  const removed = unassign.length > 0 ? `, ${formatCount(unassign.length)} taken off` : '';
  const quality = mode === 'repair' ? undefined : describeQuality(result, input);
  showSuccess(
    `${LABELS[mode]}: ${formatCount(assign.length)} assigned${removed}`,
    [left ?? 'Nothing is left open.', quality, 'Undo takes it back.'].filter(Boolean).join(' '),
  );
}

export type Engine = ReturnType<typeof useEngine>;

export function useEngine(session: RosterSession) {
  const [best, setBest] = useState<RosterResult>();
  const [running, setRunning] = useState<FillMode>();
  const run = useRef<EngineRun>(undefined);
  // The days may be loaded again while the engine works.
  const latest = useRef(session);
  useEffect(() => {
    latest.current = session;
  }, [session]);
  useEffect(() => () => run.current?.stop(), []);
  return useMemo(
    () => ({
      best,
      running,
      stop: () => run.current?.stop(),
      async start(mode: FillMode, shiftIds: readonly string[]) {
        if (run.current) return;
        const { least, most, perShift } = SECONDS;
        setBest(undefined);
        setRunning(mode);
        try {
          // Begins with what is saved, so that undoing it leads back there.
          await session.settled();
          run.current = startEngine(
            {
              input: session.store.current(),
              seed: 1,
              seconds: Math.min(most, Math.max(least, shiftIds.length * perShift)),
              mode,
              shiftIds,
              now: Math.floor(Date.now() / 60_000),
            },
            setBest,
          );
          const result = await run.current.result;
          const edit = { label: `${LABELS[mode]} the roster`, moves: movesOf(result) };
          // A refusal has its own toast.
          const { store, edit: save } = latest.current;
          const saving = save(edit);
          store.notes.setLeftOpen(result.unfilled);
          if ((await saving) !== false) reportResult(mode, result, store.input);
        } catch (error) {
          showError('The roster could not be filled', describeError(error));
        } finally {
          run.current = undefined;
          setRunning(undefined);
        }
      },
    }),
    [best, running, session],
  );
}

type StatusLineProps = {
  engine: Engine;
  session: RosterSession;
  shiftsShown: () => string[];
  /** Shifts of the selected cells. */
  selected: readonly string[];
  totals: ReactNode;
  children: ReactNode;
};

export function StatusLine(props: StatusLineProps) {
  const { engine, session, shiftsShown, selected, totals, children } = props;
  const [isListed, setListed] = useState(false);
  const [isCopying, setCopying] = useState(false);
  const { notes, topics } = session.store;
  useTopics(topics, 'left open');
  const leftOpen = notes.leftOpen();
  const isMany = selected.length > 1;
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
      {engine.running ? <Progress engine={engine} /> : totals}
      <div className="ml-auto flex flex-wrap gap-2 print:hidden">
        {leftOpen.length > 0 && !engine.running && (
          <Button variant="ghost" className="px-3 text-danger" onClick={() => setListed(true)}>
            <ListX aria-hidden="true" className="size-4" />
            Why open?
          </Button>
        )}
        {engine.running ? (
          <Button variant="secondary" onClick={engine.stop}>
            <Square aria-hidden="true" className="size-3.5 fill-current" />
            Stop
          </Button>
        ) : (
          <DropdownMenu>
            <DropdownMenuTrigger asChild>
              <Button variant="secondary">
                <Sparkles aria-hidden="true" className="size-4 text-accent" />
                Fill
                <ChevronDown aria-hidden="true" className="size-4" />
              </Button>
            </DropdownMenuTrigger>
            <DropdownMenuContent>
              {isMany && (
                <DropdownMenuItem onSelect={() => void engine.start('fill', selected)}>
                  Fill the selected shifts ({selected.length})
                </DropdownMenuItem>
              )}
              <DropdownMenuItem onSelect={() => void engine.start('fill', shiftsShown())}>
                Fill what is open
              </DropdownMenuItem>
              <DropdownMenuItem
                onSelect={() => void engine.start('refill', isMany ? selected : shiftsShown())}
              >
                {isMany ? 'Refill the selected shifts' : 'Refill everything shown, keep pins'}
              </DropdownMenuItem>
              <DropdownMenuItem
                onSelect={() => void engine.start('repair', isMany ? selected : shiftsShown())}
              >
                Repair with few changes
              </DropdownMenuItem>
              <DropdownMenuItem onSelect={() => setCopying(true)}>
                Copy the week before...
              </DropdownMenuItem>
            </DropdownMenuContent>
          </DropdownMenu>
        )}
        {children}
      </div>
      {isCopying && (
        <CopyRosterDialog
          session={session}
          monday={session.store.index.days[0] ?? ''}
          shiftIds={shiftsShown()}
          onClose={() => setCopying(false)}
        />
      )}
      {isListed && (
        <UnfilledDialog
          store={session.store}
          unfilled={leftOpen}
          onClose={() => setListed(false)}
        />
      )}
    </div>
  );
}

function Progress({ engine: { best, running = 'fill' } }: { engine: Engine }) {
  const open = best?.unfilled.reduce((sum, { seats }) => sum + seats, 0) ?? 0;
  const verb = { fill: 'Filling', refill: 'Refilling', repair: 'Repairing' }[running];
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-4 text-sm tabular-nums">
      <span className="flex items-center gap-2 font-semibold">
        <Spinner className="size-4" />
        {verb}...
      </span>
      {best && (
        <>
          <span>{formatCount(best.assign.length)} assigned</span>
          <span>{formatCount(open)} open</span>
          {running !== 'repair' && <span className="text-muted">{describeProgress(best)}</span>}
        </>
      )}
    </p>
  );
}
