import { expect, it } from 'vitest';
import { labelsPdf } from './qr-sheet.ts';

it('prints letters that the font of labels lacks as similar ones', async () => {
  const pdf = labelsPdf([{ name: 'Gbɛwɔ gate', code_secret: 'K7QM2PXA' }], 'Kɔtɔ Yard');
  const file = Buffer.from(await pdf.arrayBuffer()).toString('latin1');
  for (const text of ['Gbewo gate', 'Koto Yard']) expect(file).toContain(`(${text}) Tj`);
});
