import { FileSpreadsheet, FileText } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx';
import type { TableFormat } from '#web/lib/files/write-table.ts';

const FORMATS = [
  { format: 'xlsx', label: 'Excel', Icon: FileSpreadsheet },
  { format: 'csv', label: 'CSV', Icon: FileText },
] as const;

type ExportMenuProps = {
  /** Not opened while a file is made. */
  isBusy: boolean;
  onChoose: (format: TableFormat) => void;
  /** The button. */
  children: ReactNode;
};

/** Open from the start, because it is loaded when the button is first pressed. */
export function ExportMenu({ isBusy, onChoose, children }: ExportMenuProps) {
  const [isOpen, setOpen] = useState(true);
  return (
    <DropdownMenu open={isOpen && !isBusy} onOpenChange={setOpen}>
      <DropdownMenuTrigger asChild>{children}</DropdownMenuTrigger>
      <DropdownMenuContent>
        {FORMATS.map(({ format, label, Icon }) => (
          <DropdownMenuItem key={format} onSelect={() => onChoose(format)}>
            <Icon aria-hidden="true" className="size-4 text-muted" />
            {label}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
