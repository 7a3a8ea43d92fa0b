import { company } from '#company';
import { Paper } from '#shared/documents/paper.ts';
import { withFonts } from '#shared/documents/wide-font.ts';
import { formatInstantDay, formatLongDateTime } from '#web/lib/format/dates.ts';
import { INCIDENT_CATEGORY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import type { Letter } from './letter-api.ts';

function drawLetter(letter: Letter): Paper {
  const { facts } = letter;
  const number = letter.incident_id.slice(0, 8).toUpperCase();
  const paper = new Paper();
  paper.pdf.setProperties({ title: `Incident Report ${number}`, author: company.name });
  paper.letterhead();
  paper.text(letter.addressee, { bold: true });
  if (letter.address) paper.text(letter.address);
  paper.space(6);
  paper.text(formatInstantDay(letter.created_at));
  paper.space(6);
  paper.text(`Incident Report: ${letter.subject}`, { bold: true, size: 14 });
  paper.space(3);
  paper.fact('Reference', `${number}, version ${letter.version}`);
  paper.fact('Site', [facts.site, facts.site_address].filter(Boolean).join(', '));
  paper.fact('Category', INCIDENT_CATEGORY_LABELS[facts.category]);
  paper.fact('Severity', STATUS_LABELS[facts.severity]);
  paper.fact('Status', STATUS_LABELS[facts.status]);
  if (facts.happened_at) paper.fact('Happened', formatLongDateTime(facts.happened_at));
  if (facts.written_at) paper.fact('Written', formatLongDateTime(facts.written_at));
  paper.fact('Reported', formatLongDateTime(facts.reported_at));
  if (facts.reported_by) paper.fact('Reported by', facts.reported_by);
  paper.heading('Summary');
  paper.text(letter.summary);
  if (letter.actions) {
    paper.heading('Actions taken');
    paper.text(letter.actions);
  }
  paper.space(10);
  // The signature block stays together.
  paper.keep(36);
  paper.text('Yours faithfully,');
  paper.space(16);
  paper.line(70);
  paper.text(letter.signatory, { bold: true });
  if (letter.signatory_title) paper.text(letter.signatory_title);
  paper.text(company.name);
  paper.footer(
    `Incident Report ${number}, version ${letter.version}. ${letter.approved_at === null ? 'Draft, not approved for the client.' : 'Confidential.'}`,
  );
  return paper;
}

export const letterPdf = async (letter: Letter): Promise<Blob> =>
  (await withFonts(() => drawLetter(letter))).pdf.output('blob');
