import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LoadedList } from '#web/components/ui/loaded-card.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { ITEM_LINK, MORE_LINK } from '#web/components/ui/section-row.tsx';
import type { HistoryEntry } from '#web/lib/data/history.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { nameInWords } from '#web/lib/format/letter-case.ts';

const VERBS: Record<string, string> = { insert: 'added', update: 'changed', delete: 'deleted' };
/** Columns that say nothing to a reader. */
const TECHNICAL = ['id', 'created_at', 'created_by', 'decided_at', 'decided_by'];

function changedFields(values: unknown): string {
  if (typeof values !== 'object' || values === null) return '';
  return Object.keys(values)
    .filter((name) => !TECHNICAL.includes(name))
    .map((name) => nameInWords(name).toLowerCase())
    .join(', ');
}

type HistorySectionProps = {
  query: UseQueryResult<HistoryEntry[]>;
  /** Id of the record itself, whose whole history is on Activity. */
  row: string;
};

/** The latest changes of a record and of what belongs to it, for those who read the activity log. */
export function HistorySection({ query, row }: HistorySectionProps) {
  return (
    <LoadedList
      title="History"
      query={query}
      loadingText="Loading history..."
      emptyText="No changes recorded."
      more={
        <Link to="/admin/activity" search={{ row }} className={MORE_LINK}>
          All changes
        </Link>
      }
    >
      {(entry) => (
        <li key={entry.id}>
          <Link to="/admin/activity" search={{ open: entry.id }} className={ITEM_LINK}>
            <span className="min-w-0 flex-1">
              <span className="block [overflow-wrap:anywhere]">
                <span className="font-semibold">
                  {nameInWords(entry.table_name).replace(/s$/, '')} {VERBS[entry.action]}
                </span>
                {entry.action === 'update' && `: ${changedFields(entry.new_values)}`}
              </span>
              <SecondLine wraps className="[overflow-wrap:anywhere]">
                {formatDateTime(entry.at)} · {entry.actor_email ?? 'The system'}
              </SecondLine>
            </span>
          </Link>
        </li>
      )}
    </LoadedList>
  );
}
