// Records as cards, in every state: loading, failed, empty, rows, and more to load.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote } from '#web/components/ui/empty-note.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import type { Page } from '#web/lib/data/pages.ts';
import { CardGrid } from './card-grid.tsx';

type RecordListProps<Row> = {
  query: UseQueryResult<Page<Row>>;
  loadingText: string;
  emptyText: string;
  /** Title of the toast when loading fails. */
  failure?: string;
  /** On the button that loads the next ones. */
  moreLabel: string;
  onMore: () => void;
  renderCard: (row: Row) => ReactNode;
};

export function RecordList<Row extends { id: string }>(props: RecordListProps<Row>) {
  const { query, loadingText, failure = 'Error', renderCard } = props;
  return (
    <Loaded
      query={query}
      loadingText={loadingText}
      failure={failure}
      missing="The list could not be loaded"
      outdated="This list may be out of date"
    >
      {({ rows, total }) => (
        <>
          {rows.length === 0 && <EmptyNote>{props.emptyText}</EmptyNote>}
          {rows.length > 0 && <CardGrid rows={rows} renderCard={renderCard} />}
          {rows.length < total && (
            <div className="mt-8 flex flex-wrap items-center justify-center gap-4 print:hidden">
              <p className="text-sm text-muted">
                Showing {rows.length} of {total}
              </p>
              {/* Not while a live change reloads the list: the press would be lost. */}
              <Button variant="secondary" busy={query.isPlaceholderData} onClick={props.onMore}>
                {props.moreLabel}
              </Button>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}
