import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { ListToolbar } from './filters.tsx';
import { ExportButton } from './list-buttons.tsx';
import { ScreenHeading } from './screen-heading.tsx';

type TextSearch = { q?: string | undefined; page?: number | undefined };

type ListScreenProps = {
  title: string;
  subtitle?: string;
  /** Downloads what the list shows, on all pages. */
  exportRecords: () => Promise<void>;
  /** Further buttons of the heading, for example an import. */
  buttons?: ReactNode;
  addLabel?: string;
  onAdd?: () => void;
  /** Totals or a chart, between the heading and the toolbar. */
  summary?: ReactNode;
  /** With a search: what it looks through, for example "Search clients". */
  searchLabel?: string;
  q?: string;
  onChange?: ChangeSearch<TextSearch>;
  /** FilterSelects, beside the search. */
  filters?: ReactNode;
  /** The rows (PagedTable, PagedCards or GrowingCards), then the dialogs. */
  children: ReactNode;
};

/** The screen of a list: heading with its buttons, summary, toolbar, rows. */
export function ListScreen(props: ListScreenProps) {
  const { addLabel, onAdd, searchLabel, q = '', onChange } = props;
  return (
    <>
      <ScreenHeading title={props.title} subtitle={props.subtitle}>
        <ExportButton exportRecords={props.exportRecords} />
        {props.buttons}
        {addLabel && onAdd && (
          <Button onClick={onAdd}>
            <Plus aria-hidden="true" className="size-4.5" />
            {addLabel}
          </Button>
        )}
      </ScreenHeading>
      {props.summary}
      {searchLabel && onChange && (
        <ListToolbar
          searchLabel={searchLabel}
          search={q}
          onSearch={(text) => onChange({ q: text || undefined, page: undefined })}
        >
          {props.filters}
        </ListToolbar>
      )}
      {props.children}
    </>
  );
}
