// A QR code in a PDF, as squares: it stays sharp at every size.
import type { jsPDF } from 'jspdf';
import encodeQR from 'qr';

type Place = { left: number; top: number; size: number };

/** Without a margin of its own. @param place in millimetres @param ecc how much of it may be damaged */
export function drawQrCode(
  pdf: jsPDF,
  text: string,
  { left, top, size }: Place,
  ecc: 'medium' | 'quartile',
): void {
  const rows = encodeQR(text, 'raw', { ecc, border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1));
  const square = size / rows.length;
  pdf.setFillColor('#000000');
  for (const [row, dark] of rows.entries()) {
    // One rectangle for each run of dark squares in a row.
    for (let from = 0; from < dark.length; from += 1) {
      if (!dark[from]) continue;
      let to = from;
      while (dark[to + 1]) to += 1;
      // A little wider, so that printers leave no gap between two squares.
      pdf.rect(
        left + from * square,
        top + row * square,
        (to - from + 1) * square + 0.02,
        square + 0.02,
        'F',
      );
      from = to;
    }
  }
}
