import { FileDown } from 'lucide-react';
import type { Paper } from '#shared/documents/paper.ts';
import { withFonts } from '#shared/documents/wide-font.ts';
import { Button, type ButtonStyle } from '#web/components/ui/button.tsx';
import { download } from '#web/lib/files/download.ts';
import { useSave } from './use-save.ts';

type PdfButtonProps = {
  /** Where "PDF" alone is ambiguous, for example "PDF of INV-2026-0001". */
  label?: string;
  variant?: ButtonStyle['variant'];
  /** Without its ending. */
  name: string;
  /** Loads the PDF library, which is larger than most screens. @returns what draws the PDF */
  load: () => Promise<() => Paper>;
};

export function PdfButton({ label, variant = 'secondary', name, load }: PdfButtonProps) {
  const { save, busy } = useSave({ failure: 'PDF not made' });
  const savePdf = async () => {
    const paper = await withFonts(await load());
    download(`${name}.pdf`, paper.pdf.output('blob'));
  };
  return (
    <Button variant={variant} busy={busy} aria-label={label} onClick={() => void save(savePdf)}>
      {!busy && <FileDown aria-hidden="true" className="size-4.5" />}
      PDF
    </Button>
  );
}
