// Sorting by a button in the column's header, or by a select above the cards.
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Select } from '#web/components/ui/select.tsx';
import { cn } from '#web/lib/cn.ts';

export type Sorting = {
  /** As `sortField` reads it from the address; undefined for the default order. */
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
};

const ICONS = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown };

/** @returns a value of `aria-sort` */
export function findDirection(key: string, sort: string | undefined): keyof typeof ICONS {
  if (sort === key) return 'ascending';
  return sort === `-${key}` ? 'descending' : 'none';
}

/** Ascending, descending, then the default order. */
function nextSort(key: string, sort: string | undefined): string | undefined {
  if (sort === key) return `-${key}`;
  return sort === `-${key}` ? undefined : key;
}

type SortButtonProps = Sorting & { sortKey: string; children: ReactNode };

export function SortButton({ sortKey, sort, onSort, children }: SortButtonProps) {
  const direction = findDirection(sortKey, sort);
  const Icon = ICONS[direction];
  return (
    <button
      type="button"
      onClick={() => onSort(nextSort(sortKey, sort))}
      className="-my-2 inline-flex min-h-11 min-w-11 compact:my-0 compact:min-h-8 items-center gap-1.5 text-left font-semibold hover:text-ink print:inline"
    >
      {children}
      <Icon
        aria-hidden="true"
        className={cn('size-3.5 shrink-0 print:hidden', direction === 'none' && 'opacity-50')}
      />
    </button>
  );
}

type SortSelectProps = Sorting & { columns: { key: string; name: string }[] };

export function SortSelect({ columns, sort, onSort }: SortSelectProps) {
  const id = useId();
  return (
    <div className="flex flex-1 items-center gap-3 text-sm">
      <label htmlFor={id} className="shrink-0 text-muted">
        Sort by
      </label>
      <div className="flex-1 sm:max-w-64">
        <Select
          id={id}
          value={sort ?? ''}
          onChange={({ target }) => onSort(target.value === '' ? undefined : target.value)}
        >
          <option value="">Default order</option>
          {columns.flatMap(({ key, name }) => [
            <option key={key} value={key}>
              {name}, ascending
            </option>,
            <option key={`-${key}`} value={`-${key}`}>
              {name}, descending
            </option>,
          ])}
        </Select>
      </div>
    </div>
  );
}
