import type { UseQueryResult } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { useCompact } from '#web/lib/app/density.ts';
import type { Page } from '#web/lib/data/pages.ts';
import { type ExportRecords, ListButtons } from './list-buttons.tsx';
import { ListRows, type ListRowsProps } from './list-rows.tsx';
import { ScreenHeading } from './screen-heading.tsx';
import { ViewsButton } from './views-button.tsx';

export type Opened<Row> = {
  /** Id of the record, or "new". */
  open: string;
  /** Rows that the list has already loaded. */
  listed: Row[] | undefined;
  onClose: () => void;
};

type OpenedDialogProps<Row> = Pick<ListRowsProps<Row & { id: string }>, 'search' | 'onChange'> & {
  query: UseQueryResult<Page<Row>>;
  dialog: (opened: Opened<Row>) => ReactNode;
};

export function OpenedDialog<Row>(props: OpenedDialogProps<Row>) {
  const { search, onChange, query, dialog } = props;
  if (typeof search.open !== 'string') return null;
  return dialog({
    open: search.open,
    listed: query.data?.rows,
    onClose: () => onChange({ open: undefined }),
  });
}

function Summary({ label, children }: { label: string | undefined; children: ReactNode }) {
  const isCompact = useCompact();
  if (!children || label === undefined || !isCompact) return children;
  return (
    <details className="mb-3 text-sm">
      <summary className="inline-flex min-h-8 cursor-pointer items-center font-semibold text-accent">
        {label}
      </summary>
      <div className="mt-3">{children}</div>
    </details>
  );
}

type ListScreenProps<Row extends { id: string }> = ListRowsProps<Row> & {
  title: string;
  subtitle?: string;
  /** Downloads what the list shows, on all pages. */
  exportRecords: ExportRecords;
  /** Further buttons of the heading, for example an import. */
  buttons?: ReactNode;
  /** Adds a button that opens the empty form. */
  addLabel?: string;
  /** Totals or a chart, between the heading and the toolbar. */
  summary?: ReactNode;
  /** Folds the summary away in compact lists, under this label. */
  summaryLabel?: string;
  dialog?: (opened: Opened<Row>) => ReactNode;
  children?: ReactNode;
};

/** The screen of a list: heading with its buttons, summary, toolbar, rows, dialog of the open record. */
export function ListScreen<Row extends { id: string }>(props: ListScreenProps<Row>) {
  const { title, subtitle, exportRecords, buttons, addLabel, summary, children } = props;
  const { dialog, ...list } = props;
  const hasLayouts = list.Table !== undefined && list.isUsuallyCards === true;
  const isKept = list.Table !== undefined || (list.filters?.length ?? 0) > 0;
  return (
    <>
      <ScreenHeading
        title={title}
        subtitle={subtitle}
        aside={isKept && <ViewsButton hasLayouts={hasLayouts} />}
      >
        <ListButtons exportRecords={exportRecords} hasViews={hasLayouts} />
        {buttons}
        {addLabel && (
          <Button onClick={() => list.onChange({ open: 'new' })}>
            <Plus aria-hidden="true" className="size-4.5" />
            {addLabel}
          </Button>
        )}
      </ScreenHeading>
      <Summary label={props.summaryLabel}>{summary}</Summary>
      <ListRows {...list} />
      {dialog && <OpenedDialog {...list} dialog={dialog} />}
      {children}
    </>
  );
}
