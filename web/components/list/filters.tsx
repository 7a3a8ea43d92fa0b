import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Input } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { useSiteOptions } from '#web/lib/data/lookups.ts';

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
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isPending = useRef(false);

  // The address changed elsewhere, for example by the Back button.
  if (shown !== value) {
    setShown(value);
    if (value !== typed.trim()) setTyped(value);
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
    onSearch(text.trim());
  }
  return (
    <div className="relative min-w-0 flex-1 basis-64 sm:max-w-md">
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

type ListToolbarProps = {
  /** What the search looks through, for example "Search enquiries". */
  searchLabel: string;
  search: string;
  onSearch: (text: string) => void;
  /** FilterSelects. */
  children?: ReactNode;
};

export function ListToolbar({ searchLabel, search, onSearch, children }: ListToolbarProps) {
  return (
    <search className="mb-5 flex flex-wrap items-end gap-3 print:hidden">
      <SearchField label={searchLabel} value={search} onSearch={onSearch} />
      {children}
    </search>
  );
}

type FilterSelectProps<Value extends string> = {
  /** Of the column, for example "State". */
  label: string;
  /** For no filter, for example "All states". */
  all: string;
  options: readonly (readonly [value: Value, label: string])[];
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
};

export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, all, options, value, onChange } = props;
  const id = useId();
  return (
    <div className="min-w-40 max-lg:flex-1">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Select
        id={id}
        value={value ?? ''}
        onChange={({ target }) =>
          onChange(options.find(([option]) => option === target.value)?.[0])
        }
      >
        <option value="">{all}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
    </div>
  );
}

type SiteFilterProps = {
  /** Id of the site. */
  value: string | undefined;
  onChange: (siteId: string | undefined) => void;
};

export function SiteFilter(props: SiteFilterProps) {
  const { data: sites = [] } = useSiteOptions();
  const options = sites.map(({ id, name }) => [id, name] as const);
  return <FilterSelect label="Site" all="All sites" options={options} {...props} />;
}
