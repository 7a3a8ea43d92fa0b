// The guards for one shift, best first, with the reason for each place.

import { Ban, GripVertical } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { hasWords, searchWords } from '#shared/search-text.ts';
import { SearchField } from '#web/components/list/filters.tsx';
import { MoreButton } from '#web/components/list/pager.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { cn } from '#web/lib/cn.ts';
import { type Candidate, candidatesFor, describeObstacles } from './candidates.ts';
import { isOverridable } from './roster-moves.ts';
import type { RosterStore } from './roster-store.ts';
import { useTopics } from './topics.ts';

/** Few enough to render at once on a slow computer. */
const STEP = 20;

type CandidateListProps = {
  store: RosterStore;
  /** Without one, the guards with the fewest hours come first. */
  shiftId: string | undefined;
  onAssign: (candidate: Candidate) => void;
  /** In the panel beside the grid, from which guards are dragged. */
  isPanel?: boolean;
};

export function CandidateList({ store, shiftId, onAssign, isPanel = false }: CandidateListProps) {
  const version = useDeferredValue(useTopics(store.topics, 'totals'));
  const shown = useDeferredValue(shiftId);
  const [text, setText] = useState('');
  const [limit, setLimit] = useState(STEP);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store changes with its version.
  const candidates = useMemo(() => candidatesFor(store, shown), [store, shown, version]);
  const obstacles = useMemo(
    () =>
      shown === undefined || candidates.some(({ problems }) => problems.length === 0)
        ? undefined
        : describeObstacles(store, shown),
    [store, shown, candidates],
  );
  const words = searchWords(text);
  const found = candidates.filter(({ name }) => hasWords(name, words));
  const free = found.filter(({ problems }) => problems.length === 0).length;
  return (
    <div className="grid gap-2">
      <SearchField label="Search guards" value={text} onSearch={setText} />
      <p role="status" className="text-sm text-muted">
        {found.length === 0
          ? 'No guards match.'
          : shown === undefined
            ? `${found.length} guards, fewest hours first`
            : obstacles !== undefined && words.length === 0
              ? obstacles
              : `${free} of ${found.length} can work this shift`}
      </p>
      <ol aria-label="Guards, best first" className="divide-y divide-line">
        {found.slice(0, limit).map((candidate, place) => (
          <CandidateItem
            key={candidate.userId}
            candidate={candidate}
            place={words.length === 0 && shown !== undefined ? place + 1 : undefined}
            onAssign={shown === undefined ? undefined : () => onAssign(candidate)}
            isPanel={isPanel}
          />
        ))}
      </ol>
      {found.length > limit && <MoreButton onPress={() => setLimit(limit + STEP)} />}
    </div>
  );
}

type ItemProps = {
  candidate: Candidate;
  place: number | undefined;
  onAssign: (() => void) | undefined;
  isPanel: boolean;
};

function CandidateItem({ candidate, place, onAssign, isPanel }: ItemProps) {
  const { userId, name, reasons, problems } = candidate;
  const isFree = problems.length === 0;
  return (
    <li
      data-guard={userId}
      data-carries={isPanel || undefined}
      className={cn(
        'flex items-center gap-2 py-2 select-none',
        isPanel && 'cursor-grab pr-1 hover:bg-sunken',
      )}
    >
      {isPanel ? (
        <GripVertical aria-hidden="true" className="size-4 shrink-0 text-muted" />
      ) : (
        place !== undefined && (
          <span className="w-7 shrink-0 text-right text-sm text-muted tabular-nums">{place}</span>
        )
      )}
      <div className="min-w-0 flex-1 text-sm">
        <p className={cn('truncate font-semibold', !isFree && 'text-muted')}>
          {isPanel ? name : <PersonLink id={userId} name={name} />}
        </p>
        {problems.map(({ rule, message }) => (
          <p key={rule + message} className="flex items-center gap-1 text-danger">
            <Ban aria-hidden="true" className="size-3.5 shrink-0" />
            {message}
          </p>
        ))}
        <p className="text-xs text-muted">{reasons.join(' · ')}</p>
      </div>
      {onAssign && isOverridable(problems) && (
        <Button
          variant={isFree ? 'secondary' : 'ghost'}
          className="shrink-0 px-3"
          aria-label={`${isFree ? 'Assign' : 'Assign anyway:'} ${name}`}
          onClick={onAssign}
        >
          {isFree ? 'Assign' : 'Anyway…'}
        </Button>
      )}
    </li>
  );
}
