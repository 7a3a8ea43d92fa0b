import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowLeft, Plus } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Below } from '#web/components/ui/below.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { toPeriods } from '#web/lib/data/dated-versions.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import type { OpenedVersion } from './version-dialog.tsx';
import type { ShownVersion } from './version-panel.tsx';

type Version = { id: string; name: string; effective_from: string };

type VersionsScreenProps<Row extends Version, Stored> = {
  title: string;
  subtitle: string;
  /** The screen above, unless it is a tab beside it. */
  back?: { to: NonNullable<LinkProps['to']>; label: string };
  addLabel: string;
  /** Newest first. */
  query: UseQueryResult<Row[]>;
  /** From `recordChanges`. */
  records: {
    name: string;
    useDelete: () => UseMutationResult<Stored | null, Error, string>;
    useRestore: () => UseMutationResult<void, Error, Stored>;
  };
  mayChange: boolean;
  consequence: string;
  Panel: ComponentType<ShownVersion<Row>>;
  /** Edits the row, or adds a version that begins as a copy of it. */
  Form: ComponentType<OpenedVersion<Row>>;
  /** Below the versions. */
  children?: ReactNode;
};

/** The dated versions of a set of rules: the one in force, later and earlier ones. */
export function VersionsScreen<Row extends Version, Stored>(
  props: VersionsScreenProps<Row, Stored>,
) {
  const { title, subtitle, back, query, records, mayChange, Panel, Form } = props;
  const [opened, setOpened] = useState<{ row: Row; action: 'edit' | 'copy' | 'delete' }>();
  const rows = query.data ?? [];
  const periods = toPeriods(rows, today());
  const current = periods.find(({ state }) => state === 'now')?.row;
  const close = () => setOpened(undefined);
  const opener = (row: Row, action: 'edit' | 'delete', isAllowed: boolean) =>
    isAllowed ? () => setOpened({ row, action }) : undefined;
  return (
    <>
      <ScreenHeading title={title} subtitle={subtitle}>
        {back && (
          <Link to={back.to} className={buttonStyles({ variant: 'secondary' })}>
            <ArrowLeft aria-hidden="true" className="size-4.5" />
            {back.label}
          </Link>
        )}
        {mayChange && current && (
          <Button onClick={() => setOpened({ row: current, action: 'copy' })}>
            <Plus aria-hidden="true" className="size-4.5" />
            {props.addLabel}
          </Button>
        )}
      </ScreenHeading>
      <div className="grid gap-6">
        <Loaded query={query} loadingText="Loading the rules..." failure="Error">
          {() =>
            periods.map((period) => (
              <Panel
                key={period.row.id}
                period={period}
                onEdit={opener(period.row, 'edit', mayChange)}
                onDelete={opener(period.row, 'delete', mayChange && rows.length > 1)}
              />
            ))
          }
        </Loaded>
        <Below queries={[query]}>{props.children}</Below>
      </div>
      {opened?.action === 'delete' && (
        <DeleteRecordDialog
          records={records}
          id={opened.row.id}
          consequence={`${opened.row.name}, in force from ${formatDay(opened.row.effective_from)}. ${props.consequence}`}
          onClose={close}
        />
      )}
      {opened && opened.action !== 'delete' && (
        <Form
          row={opened.row}
          isNew={opened.action === 'copy'}
          latest={
            opened.action === 'edit' ? rows.find(({ id }) => id === opened.row.id) : undefined
          }
          onClose={close}
        />
      )}
    </>
  );
}
