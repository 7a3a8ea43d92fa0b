import { useMutation } from '@tanstack/react-query';
import { FileDown, LayoutGrid, Printer, Rows2, Rows4, Table2 } from 'lucide-react';
import { lazy, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { setCompact, useCompact } from '#web/lib/app/density.ts';
import { setTableView, useTableView } from '#web/lib/app/list-view.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import type { TableFormat } from '#web/lib/files/write-table.ts';

export type ExportRecords = (format: TableFormat) => Promise<void>;

type ExportButtonProps = {
  exportRecords: ExportRecords;
  /** Where there is room for an icon alone. */
  iconOnly?: keyof typeof ICON_ONLY;
};

const ICON_ONLY = {
  always: { size: 'icon', label: 'sr-only' },
  onPhones: { className: 'max-sm:w-11 max-sm:flex-none! max-sm:px-0', label: 'max-sm:sr-only' },
} as const;

const ExportMenu = lazy(async () => ({
  default: (await import('./export-menu.tsx')).ExportMenu,
}));

/** Its menu of formats is loaded when it is first opened. */
export function ExportButton({ exportRecords, iconOnly }: ExportButtonProps) {
  const [isWanted, setWanted] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: exportRecords,
    onError: (error) => showError('Error', describeError(error)),
  });
  const { label, ...look } = iconOnly ? ICON_ONLY[iconOnly] : { label: undefined };
  const button = (busy: boolean) =>
    ({
      variant: 'secondary',
      ...look,
      title: iconOnly && 'Export',
      busy,
      children: (
        <>
          {!busy && <FileDown aria-hidden="true" className="size-4.5" />}
          <span className={label}>Export</span>
        </>
      ),
    }) as const;
  const closed = (
    <Button
      {...button(false)}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setWanted(true)}
    />
  );
  if (!isWanted) return closed;
  return (
    <LazyPart
      fallback={<Button {...button(true)} />}
      instead={closed}
      onClose={() => setWanted(false)}
    >
      <ExportMenu isBusy={isPending} onChoose={mutate}>
        <Button {...button(isPending)} />
      </ExportMenu>
    </LazyPart>
  );
}

/** Rows of 40 px, where lists are tables. */
function DensityButton() {
  const isCompact = useCompact();
  return (
    <IconButton
      variant="secondary"
      className="max-lg:hidden"
      aria-pressed={isCompact}
      label="Compact rows"
      Icon={isCompact ? Rows4 : Rows2}
      iconClass="size-4.5"
      onClick={() => setCompact(!isCompact)}
    />
  );
}

/** Only where there is room for tables. */
function ViewButton({ isTable }: { isTable: boolean }) {
  return (
    <IconButton
      variant="secondary"
      className="max-lg:hidden"
      aria-pressed={isTable}
      label="Table"
      Icon={isTable ? Table2 : LayoutGrid}
      iconClass="size-4.5"
      onClick={() => setTableView(!isTable)}
    />
  );
}

type ListButtonsProps = Pick<ExportButtonProps, 'exportRecords'> & {
  /** A toolbar of icons. */
  isNarrow?: boolean;
  /** Whether the user chooses between cards and a table. */
  hasViews?: boolean;
};

export function ListButtons(props: ListButtonsProps) {
  const { exportRecords, isNarrow = false, hasViews = false } = props;
  const isTable = useTableView();
  return (
    <>
      {hasViews && <ViewButton isTable={isTable} />}
      {(!hasViews || isTable) && <DensityButton />}
      <IconButton
        variant="secondary"
        className="max-sm:flex-none!"
        label="Print"
        Icon={Printer}
        iconClass="size-4.5"
        onClick={() => window.print()}
      />
      <ExportButton exportRecords={exportRecords} iconOnly={isNarrow ? 'always' : 'onPhones'} />
    </>
  );
}

export function PrintButton() {
  return (
    <Button variant="secondary" onClick={() => window.print()}>
      <Printer aria-hidden="true" className="size-4.5" />
      Print
    </Button>
  );
}
