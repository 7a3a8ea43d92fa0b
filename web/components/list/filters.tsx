import { Search } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { useMatchingSites, usePeople, usePerson, useSite } from '#web/lib/data/lookups.ts';
import { lazily } from '#web/lib/render/lazily.tsx';
import { MOST_SCROLLED, type Option } from '#web/lib/vocabulary/options.ts';
import { DayFilter } from './day-filter.tsx';

/** Debounce. */
const PAUSE_MS = 250;

type SearchFieldProps = {
  label: string;
  /** The text in the address. */
  value: string;
  onSearch: (text: string) => void;
};

export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  const [asked, setAsked] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isPending = useRef(false);

  if (shown !== value) {
    setShown(value);
    setAsked(undefined);
    // The address changed elsewhere, for example by the Back button. After our own search, which may be late, what was
    // typed since then stays.
    if (value !== asked && value !== typed.trim()) setTyped(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  function type(text: string) {
    setTyped(text);
    clearTimeout(timer.current);
    isPending.current = true;
    timer.current = setTimeout(() => search(text), PAUSE_MS);
  }
  function search(text: string) {
    clearTimeout(timer.current);
    if (!isPending.current) return;
    isPending.current = false;
    if (text.trim() !== value) setAsked(text.trim());
    onSearch(text.trim());
  }
  return (
    <div className="relative min-w-0 flex-1 basis-40 sm:max-w-md sm:basis-64 lg:basis-40">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-muted"
      />
      <Input
        id={id}
        type="search"
        autoComplete="off"
        maxLength={200}
        placeholder={label}
        value={typed}
        onChange={(event) => type(event.target.value)}
        // Not left to the timer: firing after navigation, it would change the next screen's address.
        onBlur={() => search(typed)}
        className="pl-10"
      />
    </div>
  );
}

type FilterSelectProps = {
  /** For example "State". */
  label: string;
  /** For no filter, for example "All states". */
  all: string;
  options: readonly Option[];
  /** Even while the options are loading: another control in its place would lose the focus. */
  isSearched?: boolean;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

/** Most lists load without the code of the search. */
const SearchSelect = lazily(
  async () => (await import('#web/components/ui/option-select.tsx')).OptionSelect,
);

const CHOICE_STYLES = 'min-w-44 max-lg:flex-1 lg:max-w-72 lg:min-w-36 compact:min-w-32';

function FilterSelect(props: FilterSelectProps) {
  const { label, all, options, isSearched = false, value, onChange } = props;
  const id = useId();
  return (
    <div className={CHOICE_STYLES}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      {isSearched || options.length > MOST_SCROLLED ? (
        <LazyPart fallback={<div className="h-11" />}>
          <SearchSelect
            id={id}
            options={options}
            isSearched
            value={value ?? ''}
            empty={all}
            searchLabel={`Search ${all.replace(/^All /, '')}`}
            onChange={(chosen) => onChange(chosen || undefined)}
          />
        </LazyPart>
      ) : (
        <Select
          id={id}
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value || undefined)}
        >
          <option value="">{all}</option>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </div>
  );
}

type PersonFilterProps = Pick<FilterSelectProps, 'label' | 'all' | 'value' | 'onChange'> & {
  /** For example "Search people". */
  searchLabel: string;
};

const Picker = lazily(async () => (await import('./filter-picker.tsx')).FilterPicker);

function PersonFilter({ label, all, searchLabel, value, onChange }: PersonFilterProps) {
  const { data: person } = usePerson(value);
  return (
    <LazyPart fallback={<div className="h-11 w-40" />}>
      <Picker
        label={label}
        searchLabel={searchLabel}
        placeholder={all}
        value={person ?? undefined}
        onChange={(choice) => onChange(choice?.id)}
        useChoices={usePeople}
      />
    </LazyPart>
  );
}

function SiteFilter({ value, onChange }: Pick<FilterSelectProps, 'value' | 'onChange'>) {
  const { data: site } = useSite(value);
  return (
    <LazyPart fallback={<div className={`h-11 ${CHOICE_STYLES}`} />}>
      <Picker
        label="Site"
        searchLabel="Search sites"
        placeholder="All sites"
        className={CHOICE_STYLES}
        value={site ?? undefined}
        onChange={(choice) => onChange(choice?.id)}
        useChoices={useMatchingSites}
      />
    </LazyPart>
  );
}

/** A filter of a list. `key` is its parameter of the address. */
export type Filter<Key extends string = string> = { key: Key } & (
  | {
      kind?: 'choice';
      label: string;
      all: string;
      options: readonly Option[];
      isSearched?: boolean;
    }
  | { kind: 'site' }
  /** Shown elsewhere on the screen. */
  | { kind: 'elsewhere' }
  | { kind: 'person'; label: string; all: string; searchLabel: string; isHidden?: boolean }
  /** `value` replaces the one in the address, for example where it is "today". */
  | { kind: 'day'; label: string; clearLabel?: string; value?: string | undefined }
);

export const choice = <Key extends string>(
  key: Key,
  label: string,
  all: string,
  options: readonly Option[],
) => ({ key, label, all, options });

/** The same of values that the data has: one control, however many of them have loaded. */
export const searchedChoice = <Key extends string>(...values: Parameters<typeof choice<Key>>) => ({
  ...choice(...values),
  isSearched: true,
});

export const nameChoice = <Key extends string>(
  key: Key,
  label: string,
  empty: string,
  names: readonly string[],
) =>
  searchedChoice(
    key,
    label,
    empty,
    names.map((name) => [name, name]),
  );

type FilterControlProps = {
  filter: Filter;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

export function FilterControl({ filter, ...state }: FilterControlProps) {
  switch (filter.kind) {
    case 'site':
      return <SiteFilter {...state} />;
    case 'elsewhere':
      return null;
    case 'person':
      return filter.isHidden ? null : <PersonFilter {...filter} {...state} />;
    case 'day':
      return <DayFilter {...filter} {...state} value={filter.value ?? state.value} />;
    default:
      return <FilterSelect {...filter} {...state} />;
  }
}

/** A method, so that the typed `onChange` of every list fits: the route's schema checks what is written. */
export interface Addressed {
  search: Readonly<Record<string, unknown>>;
  onChange(change: Record<string, string | number | undefined>): void;
}
