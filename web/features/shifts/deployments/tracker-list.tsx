import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { MoreCards } from '#web/components/list/cards.tsx';
import { CountChips } from '#web/components/list/count-chips.tsx';
import { SearchField } from '#web/components/list/filters.tsx';
import { ListStates } from '#web/components/list/list-states.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { CARDS_STEP } from '#web/lib/data/pages.ts';
import { PARTS, type Part, useTracker } from './api.ts';
import { DeleteDeploymentButton, DeploymentCard } from './deployment-card.tsx';
import { DeploymentDialog } from './deployment-dialog.tsx';
import type { Deployment } from './schema.ts';

const FILTERS: Record<Part, { label: string; hint: string; empty: string }> = {
  today: { label: 'Today', hint: 'Shifts of today', empty: 'No deployments today.' },
  upcoming: { label: 'Upcoming', hint: 'After today', empty: 'No upcoming deployments.' },
  past: { label: 'Past', hint: 'Before today', empty: 'No past deployments.' },
};

type TrackerCardProps = { deployment: Deployment; isNew: boolean };

/** Scrolls itself into view if it has just been added. */
function TrackerCard({ deployment, isNew }: TrackerCardProps) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNew) card.current?.scrollIntoView({ block: 'center' });
  }, [isNew]);
  return (
    <div ref={card} className="h-full">
      <DeploymentCard
        deployment={deployment}
        className={isNew ? 'border-accent-fill ring-2 ring-accent-fill' : undefined}
        actions={
          <DeleteDeploymentButton
            deployment={deployment}
            success="Deployment deleted successfully"
          />
        }
      />
    </div>
  );
}

function emptyText(q: string, part: Part | undefined): string {
  if (q) return `No deployment matches “${q}”.`;
  return part ? FILTERS[part].empty : 'No deployments yet. Create your first deployment above.';
}

type TrackerListProps = {
  q: string;
  onSearch: (q: string) => void;
};

export function TrackerList({ q, onSearch }: TrackerListProps) {
  const [part, setPart] = useState<Part>();
  const [shown, setShown] = useState(CARDS_STEP);
  const [isAdding, setAdding] = useState(false);
  const [addedId, setAddedId] = useState<string>();
  const query = useTracker(q, part, shown);
  return (
    <>
      <div className="mb-7 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <h1 className="font-display text-3xl leading-tight sm:text-4xl">
          Guard Deployment Tracker
        </h1>
        <Button className="max-sm:w-full" onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" className="size-4.5" />
          New Deployment
        </Button>
      </div>
      <search className="mb-5 flex">
        <SearchField label="Search deployments" value={q} onSearch={onSearch} />
      </search>
      <CountChips
        label="Filter"
        chips={PARTS.map((id) => ({
          id,
          ...FILTERS[id],
          count: query.data?.counts[id],
          isUrgent: false,
        }))}
        chosen={part}
        onChoose={(next) => {
          setPart(next);
          setShown(CARDS_STEP);
        }}
      />
      <h2 className="sr-only">Deployments</h2>
      <ListStates
        query={query}
        loading="Loading deployments..."
        failure="Error fetching deployments"
        isEmpty={({ rows }) => rows.length === 0}
        empty={emptyText(q, part)}
      >
        {({ rows, total }) => (
          <MoreCards
            label="Deployments"
            rows={rows}
            total={total}
            renderCard={(deployment) => (
              <TrackerCard deployment={deployment} isNew={deployment.id === addedId} />
            )}
            moreLabel="Show older deployments"
            busy={query.isPlaceholderData}
            onMore={() => setShown(shown + CARDS_STEP)}
          />
        )}
      </ListStates>
      {isAdding && (
        <DeploymentDialog
          open="new"
          listed={query.data?.rows}
          addTitle="Create New Deployment"
          added="Deployment created successfully"
          onAdded={(id) => {
            setAddedId(id);
            // A search or a filter would hide it, unless it happens to match.
            if (q) onSearch('');
            setPart(undefined);
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}
