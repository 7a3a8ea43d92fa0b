/** A row of a CSV file or a workbook. */
export type FileRow = {
  /** As a spreadsheet shows it: from 1, with the empty rows, and a cell of several lines in one row. */
  number: number;
  cells: string[];
  /** Why the file itself makes it unusable. */
  problem?: string;
};
