import { useState } from 'react';
import { formatAmount } from '#shared/money.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { formatDay } from '#web/lib/format/dates.ts';
import { FIGURES, type Selection, useEntries } from './api.ts';

const STEP = 100;

type EntriesDialogProps = { selection: Selection; onClose: () => void };

export function EntriesDialog({ selection, onClose }: EntriesDialogProps) {
  const [limit, setLimit] = useState(STEP);
  const query = useEntries(selection, limit);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${FIGURES[selection.figure]}, ${selection.currency}`}
      description="The records that make up this figure, largest first"
    >
      <Loaded query={query} loadingText="Loading records...">
        {({ rows, total }) => (
          <>
            {rows.length === 0 && <EmptyNote>No records make up this figure.</EmptyNote>}
            <ul className="divide-y divide-line">
              {rows.map((row) => (
                <li
                  key={`${row.source} ${row.id}`}
                  className="flex items-baseline justify-between gap-4 py-2.5"
                >
                  <div className="min-w-0">
                    <p className="break-words">{row.title}</p>
                    <p className="text-sm text-muted">
                      {[row.source, row.at && formatDay(row.at)].filter(Boolean).join(' · ')}
                    </p>
                  </div>
                  <p className="tabular-nums">{formatAmount(row.amount)}</p>
                </li>
              ))}
            </ul>
            {rows.length < total && (
              <div className="mt-5 flex flex-wrap items-center justify-center gap-4">
                <p className="text-sm text-muted">
                  Showing {rows.length} of {total}
                </p>
                <Button
                  variant="secondary"
                  busy={query.isPlaceholderData}
                  onClick={() => setLimit(limit + STEP)}
                >
                  Show more
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
