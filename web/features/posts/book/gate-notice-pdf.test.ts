import { expect, it } from 'vitest';
import { gateNoticePdf } from './gate-notice-pdf.ts';

it('the notice for the gate says what is kept, for how long, and whom to ask', () => {
  const notice = { name: 'Freeport', client: 'Harbour Works', days: 14, isListed: true };
  const text = gateNoticePdf(notice).pdf.output();
  expect(text).toContain('14 days after you leave');
  expect(text).toContain('sees who came');
  expect(gateNoticePdf({ ...notice, isListed: false }).pdf.output()).toContain('only how many');
});
