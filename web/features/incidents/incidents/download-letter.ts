import { download } from '#web/lib/files/download.ts';
import type { Letter } from './letter-api.ts';

/** Makes the PDF of a letter and downloads it. The PDF library loads on demand. */
export async function downloadLetter(letter: Letter): Promise<void> {
  const { letterPdf } = await import('./letter-pdf.ts');
  const number = letter.incident_id.slice(0, 8).toUpperCase();
  download(`incident-${number}-letter-${letter.version}.pdf`, await letterPdf(letter));
}
