import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { cn } from '#web/lib/cn.ts';
import { type Addressed, type Filter, FilterControl, SearchField } from './filters.tsx';

/** The first page: of a list, or of a log, which has a cursor. */
const FIRST = { page: undefined, before: undefined };

/** With more of them a phone shows a button in their place, so that the rows begin on the first screen. */
const MOST_ON_PHONES = 2;

type ClearFiltersProps = Pick<Addressed, 'onChange'> & { filters: readonly Filter[] };

/** In an empty result: removes the search and all filters. */
export function ClearFilters({ filters, onChange }: ClearFiltersProps) {
  const cleared = filters.map(({ key }) => [key, undefined] as const);
  return (
    <span className="mt-4 block">
      <Button
        variant="secondary"
        onClick={() => onChange({ ...FIRST, q: undefined, ...Object.fromEntries(cleared) })}
      >
        Clear filters
      </Button>
    </span>
  );
}

type ListToolbarProps = Addressed & {
  /** For example "Search enquiries"; no search without it. */
  searchLabel?: string | undefined;
  filters?: readonly Filter[] | undefined;
  /** The order of the rows, where no column header sorts them. */
  order?: Filter | undefined;
  /** All filters on phones too, for a screen that folds the toolbar itself. */
  isAlwaysOpen?: boolean;
  children?: ReactNode;
};

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
const isShown = (filter: Filter) =>
  filter.kind !== 'elsewhere' && !(filter.kind === 'person' && filter.isHidden);

export function ListToolbar(props: ListToolbarProps) {
  const { search, onChange, searchLabel, filters = [], order } = props;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (searchLabel === undefined && filters.length === 0) return null;

  const shown = filters.filter(isShown);
  const set = shown.filter(({ key }) => textOf(search[key]) !== undefined).length;
  const isFolded = !props.isAlwaysOpen && shown.length > MOST_ON_PHONES;
  const controls = (order ? [...shown, order] : shown).map((filter) => (
    <FilterControl
      key={filter.key}
      filter={filter}
      value={textOf(search[filter.key])}
      onChange={(value) => onChange({ ...FIRST, [filter.key]: value })}
    />
  ));
  return (
    <search className="mb-5 flex flex-wrap items-end gap-3 compact:mb-3 print:hidden">
      {searchLabel && (
        <SearchField
          label={searchLabel}
          value={textOf(search.q) ?? ''}
          onSearch={(text) => onChange({ ...FIRST, q: text || undefined })}
        />
      )}
      {isFolded && (
        <Button
          variant="secondary"
          className="sm:hidden"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <SlidersHorizontal aria-hidden="true" className="size-4.5" />
          Filters{set > 0 && ` (${set})`}
        </Button>
      )}
      {props.isAlwaysOpen ? (
        controls
      ) : (
        // Whether folded or not: a filter that appears with the data must not take the focus from another.
        <div id={id} className={cn('contents', isFolded && !isOpen && 'max-sm:hidden')}>
          {controls}
        </div>
      )}
      {props.children}
    </search>
  );
}
