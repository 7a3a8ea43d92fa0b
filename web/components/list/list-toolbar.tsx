// What stands above a list: the search, then the filters that the screen supplies.
import type { ReactNode } from 'react';
import { SearchField } from './search-field.tsx';

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
