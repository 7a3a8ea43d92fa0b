// The monthly report of a client, drawn alike by the browser and by the server that mails it.
import { format, parseISO } from 'date-fns';
import { formatCount } from '#shared/count.ts';
import {
  type ClientMonth,
  printedCoverage,
  printedInTime,
  printedMedian,
  printedMonth,
  printedWord,
  sumOf,
} from './client-month.ts';
import { Paper, type PaperCell } from './paper.ts';
import { printedDay } from './printed-invoice.ts';

const hours = (minutes: number): string => `${formatCount(Math.round(minutes / 60))} h`;

const coverageRow = (texts: [string, string, string, string, string]): PaperCell[] =>
  texts.map((text, at) => ({ text, width: at === 0 ? 60 : 25, right: at > 0 }));

type TimesRow = [string, string, string, string, string, string];

const timesRow = (texts: TimesRow): PaperCell[] =>
  texts.map((text, at) => ({ text, width: [24, 20, 34, 24, 34, 24][at] ?? 24, right: at > 0 }));

/** How soon something was done, on one page. */
function writeTimes(paper: Paper, heading: TimesRow, rows: readonly TimesRow[]): void {
  paper.keep(12 + 6 * rows.length);
  paper.row(timesRow(heading), { bold: true, rule: 0.4 });
  for (const row of rows) paper.row(timesRow(row));
  paper.space(2);
}

function writeCoverage(paper: Paper, { sites, days }: ClientMonth): void {
  const required = sumOf(sites, 'required');
  const uncovered = sumOf(sites, 'uncovered');
  paper.heading('Coverage');
  if (required === 0) {
    paper.text('No shift was due in this month.');
    return;
  }
  paper.fact('Covered', printedCoverage(required, uncovered));
  paper.fact('Required', hours(required));
  paper.fact(
    'Uncovered',
    `${hours(uncovered)}, ${hours(sumOf(sites, 'late'))} of it late arrivals`,
  );
  paper.space(3);
  paper.bars(
    'Hours of guards by day: covered, and uncovered above',
    days.map(({ day, required: due, uncovered: gap }) => ({
      label: format(parseISO(day), 'd'),
      parts: [(due - gap) / 60, gap / 60],
    })),
  );
  paper.table(
    coverageRow(['Site', 'Required', 'Uncovered', 'Of it late', 'Covered']),
    sites.map((row) => ({
      cells: coverageRow([
        row.site,
        hours(row.required),
        hours(row.uncovered),
        hours(row.late),
        printedCoverage(row.required, row.uncovered),
      ]),
    })),
  );
}

function writeIncidents(paper: Paper, { severities, categories }: ClientMonth): void {
  const reported = severities.filter(({ incidents }) => incidents > 0);
  paper.heading('Incidents');
  if (reported.length === 0) {
    paper.text('No incident was reported in this month.');
    return;
  }
  paper.bars(
    'Incidents by severity',
    severities.map(({ severity, incidents }) => ({
      label: printedWord(severity),
      parts: [incidents],
    })),
  );
  writeTimes(
    paper,
    ['Severity', 'Incidents', 'Response in time', 'Median', 'Resolved in time', 'Median'],
    reported.map((row) => [
      printedWord(row.severity),
      formatCount(row.incidents),
      printedInTime(row.response_in_time, row.response_late),
      printedMedian(row.response_minutes),
      printedInTime(row.resolution_in_time, row.resolution_late),
      printedMedian(row.resolution_minutes),
    ]),
  );
  paper.text(
    `By kind: ${categories.map(({ category, incidents }) => `${printedWord(category)} ${incidents}`).join(', ')}.`,
    { size: 9.5 },
  );
  paper.text(
    'In time: measured against our goals for each severity, at all hours and on all days. Incidents with time left count as neither.',
    { size: 9, colour: '#4d5a6e' },
  );
}

/** Nothing for a client who called no unit. */
function writeCalls(paper: Paper, month: ClientMonth): void {
  const calls = month.calls.filter((row) => row.calls > 0);
  if (calls.length === 0) return;
  paper.heading('Calls for Service');
  writeTimes(
    paper,
    ['Priority', 'Calls', 'Answered in time', 'Median', 'On scene in time', 'Median'],
    calls.map((row) => [
      printedWord(row.priority),
      formatCount(row.calls),
      printedInTime(row.answered_in_time, row.answered_late),
      printedMedian(row.answer_minutes),
      printedInTime(row.on_scene_in_time, row.on_scene_late),
      printedMedian(row.on_scene_minutes),
    ]),
  );
  paper.text(
    'In time: measured against our goals for each priority, from the call to the answer of a unit and to its arrival. Cancelled calls are left out.',
    { size: 9, colour: '#4d5a6e' },
  );
}

export function clientMonthPdf(month: ClientMonth): Paper {
  const title = `Monthly report, ${printedMonth(month.from)}`;
  const paper = Paper.letterTo({ name: month.client }, title, `${title}, ${month.client}`);
  paper.fact('Period', `${printedDay(month.from)} to ${printedDay(month.to)}`);
  writeCoverage(paper, month);
  writeIncidents(paper, month);
  writeCalls(paper, month);
  paper.footer(`${title}, ${month.client}. Confidential.`);
  return paper;
}
