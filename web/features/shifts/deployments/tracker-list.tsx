import { Plus } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { MoreCards } from '#web/components/list/cards.tsx';
import { SearchField } from '#web/components/list/filters.tsx';
import { ListStates } from '#web/components/list/list-states.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { CARDS_STEP } from '#web/lib/data/pages.ts';
import { PARTS, type Part, useTracker } from './api.ts';
import { DeleteDeploymentButton, DeploymentCard } from './deployment-card.tsx';
import { DeploymentDialog } from './deployment-dialog.tsx';
import type { Deployment } from './schema.ts';

const TITLES = { today: 'Today', upcoming: 'Upcoming', past: 'Past' };

const MORE_LABELS = {
  today: 'Show more of today',
  upcoming: 'Show more upcoming deployments',
  past: 'Show older deployments',
};

const FIRST = { today: CARDS_STEP, upcoming: CARDS_STEP, past: CARDS_STEP };

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

type TrackerPartProps = {
  part: Part;
  page: { rows: Deployment[]; total: number };
  addedId: string | undefined;
  busy: boolean;
  onMore: () => void;
};

function TrackerPart({ part, page, addedId, busy, onMore }: TrackerPartProps) {
  const id = useId();
  if (page.total === 0) return null;
  return (
    <section aria-labelledby={id} className="mt-9 first:mt-0">
      <h2 id={id} className="mb-3.5 flex items-baseline gap-2.5 font-display text-2xl">
        {TITLES[part]}
        <span className="font-sans text-base text-muted tabular-nums">{page.total}</span>
      </h2>
      <MoreCards
        {...page}
        renderCard={(deployment) => (
          <TrackerCard deployment={deployment} isNew={deployment.id === addedId} />
        )}
        moreLabel={MORE_LABELS[part]}
        busy={busy}
        onMore={onMore}
      />
    </section>
  );
}

type TrackerListProps = {
  q: string;
  onSearch: (q: string) => void;
};

export function TrackerList({ q, onSearch }: TrackerListProps) {
  const [shown, setShown] = useState<Record<Part, number>>(FIRST);
  const [isAdding, setAdding] = useState(false);
  const [addedId, setAddedId] = useState<string>();
  const query = useTracker(q, shown);
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
      <search className="mb-8 flex">
        <SearchField label="Search deployments" value={q} onSearch={onSearch} />
      </search>
      <ListStates
        query={query}
        loading="Loading deployments..."
        failure="Error fetching deployments"
        isEmpty={(pages) => PARTS.every((part) => pages[part].total === 0)}
        empty={
          q
            ? `No deployment matches “${q}”.`
            : 'No deployments yet. Create your first deployment above.'
        }
      >
        {(pages) =>
          PARTS.map((part) => (
            <TrackerPart
              key={part}
              part={part}
              page={pages[part]}
              addedId={addedId}
              busy={query.isPlaceholderData}
              onMore={() => setShown({ ...shown, [part]: shown[part] + CARDS_STEP })}
            />
          ))
        }
      </ListStates>
      {isAdding && (
        <DeploymentDialog
          open="new"
          listed={query.data && PARTS.flatMap((part) => query.data[part].rows)}
          addTitle="Create New Deployment"
          added="Deployment created successfully"
          onAdded={(id) => {
            setAddedId(id);
            // A search would hide it, unless it happens to match.
            if (q) onSearch('');
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}
