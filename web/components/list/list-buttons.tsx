import { useMutation } from '@tanstack/react-query';
import {
  FileDown,
  FileSpreadsheet,
  FileText,
  LayoutGrid,
  Printer,
  Rows2,
  Rows4,
  Table2,
} from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx';
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

const FORMATS = [
  { format: 'xlsx', label: 'Excel', Icon: FileSpreadsheet },
  { format: 'csv', label: 'CSV', Icon: FileText },
] as const;

export function ExportButton({ exportRecords, iconOnly }: ExportButtonProps) {
  const { label, ...button } = iconOnly ? ICON_ONLY[iconOnly] : { label: undefined };
  const [isOpen, setOpen] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: exportRecords,
    onError: (error) => showError('Error', describeError(error)),
  });
  return (
    <DropdownMenu open={isOpen && !isPending} onOpenChange={setOpen}>
      <DropdownMenuTrigger asChild>
        <Button variant="secondary" {...button} title={iconOnly && 'Export'} busy={isPending}>
          {!isPending && <FileDown aria-hidden="true" className="size-4.5" />}
          <span className={label}>Export</span>
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {FORMATS.map(({ format, label: name, Icon }) => (
          <DropdownMenuItem key={format} onSelect={() => mutate(format)}>
            <Icon aria-hidden="true" className="size-4 text-muted" />
            {name}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
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
