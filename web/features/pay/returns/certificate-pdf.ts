import { company } from '#company';
import { Paper, type PaperCell } from '#shared/documents/paper.ts';
import { formatAmount } from '#shared/money.ts';
import { formatMonths } from '#web/lib/format/dates.ts';
import { type Certified, type CertifiedMonth, type CompanyNumbers, yearSums } from './schema.ts';

const cellsOf = (name: string, amounts: string[]): PaperCell[] => [
  { text: name, width: 35 },
  ...amounts.map((text) => ({ text, width: 25, right: true })),
];

const amountsOf = ({ gross, taxable, tax, employee, employer }: CertifiedMonth) =>
  [gross, taxable, tax, employee, employer].map((amount) => formatAmount(amount));

function writeCertificate(paper: Paper, year: string, person: Certified, numbers: CompanyNumbers) {
  paper.text(`Certificate of pay and tax, ${year}`, { bold: true, size: 14 });
  paper.space(2);
  paper.fact('Name', person.full_name);
  paper.fact('TIN', person.tin ?? 'Not known');
  paper.fact('NASSCORP number', person.nasscorp_number ?? 'Not known');
  paper.fact('Taxed as', person.tax_resident ? 'Resident' : 'Not resident');
  paper.fact('Employer', company.name);
  paper.fact('Employer’s TIN', numbers.tin ?? 'Not known');
  paper.fact('Its NASSCORP no.', numbers.nasscorp_number ?? 'Not known');
  for (const sum of yearSums(person)) {
    const months = person.months.filter(({ currency }) => currency === sum.currency);
    paper.heading(`Paid in ${sum.currency}`);
    paper.table(
      cellsOf('Month', ['Gross pay', 'Taxable pay', 'Income tax', 'NASSCORP', 'By employer']),
      [
        ...months.map((each) => ({
          cells: cellsOf(formatMonths(each.month, each.month), amountsOf(each)),
        })),
        { cells: cellsOf('Year', amountsOf(sum)), bold: true },
      ],
    );
  }
  paper.space(4);
  paper.text(
    'Income tax and the share of NASSCORP in the fourth column were withheld from pay. The share of the employer was paid on top. Figures are those of the payslips.',
    { size: 9 },
  );
  paper.keep(30);
  paper.space(16);
  paper.line(70);
  paper.text(`For ${company.name}`, { size: 9 });
}

/** A certificate for each person, each on its own page. */
export function certificatesPdf(
  year: string,
  people: readonly Certified[],
  numbers: CompanyNumbers,
): Paper {
  const paper = new Paper();
  paper.pdf.setProperties({ title: `Certificates of pay and tax, ${year}`, author: company.name });
  for (const [index, person] of people.entries()) {
    if (index > 0) paper.pdf.addPage();
    paper.letterhead();
    writeCertificate(paper, year, person, numbers);
  }
  paper.footer(`Pay and tax of ${year}. Confidential.`);
  return paper;
}
