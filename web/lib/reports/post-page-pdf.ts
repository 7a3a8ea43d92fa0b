// A page of the book of a post as PDF, for the office and for the client.
import { Paper, type PaperCell } from '#shared/documents/paper.ts';
import { formatDateTime, formatLongDay, formatTime, readCity } from '../format/dates.ts';
import { dayAfter } from '../format/days.ts';
import { lineLabel } from '../vocabulary/book.ts';
import { cameIn, changeWords, type PageFacts, type PostPage, timeOn } from './post-page.ts';

const GREY = '#4d5a6e';

const guardRow = (texts: [string, string, string, string]): PaperCell[] =>
  texts.map((text, at) => ({ text, width: [35, 65, 30, 30][at] ?? 30 }));
const lineRow = (texts: [string, string, string, string]): PaperCell[] =>
  texts.map((text, at) => ({ text, width: [20, 32, 78, 30][at] ?? 30 }));

function writeGuards(paper: Paper, day: string, { guards, timezone }: PageFacts): void {
  if (guards === null) return;
  paper.heading('On post');
  if (guards.length === 0) {
    paper.text('Nobody clocked in.');
    return;
  }
  paper.table(
    guardRow(['Guard', 'Post', 'From', 'Until']),
    guards.map(({ name, post, since, until }) => ({
      cells: guardRow([
        name,
        post ?? '',
        timeOn(day, since, timezone),
        until === null ? 'Still on post' : timeOn(day, until, timezone),
      ]),
    })),
  );
}

export function postPagePdf(page: PostPage): Paper {
  const { day, version, facts, changes, lines } = page;
  const { timezone: zone } = facts;
  const title = `Book of the post, ${formatLongDay(day)}`;
  const paper = Paper.letterTo({ name: facts.client }, title, `${title}, ${facts.site}`);
  paper.fact('Site', `${facts.site}, ${facts.address}`);
  paper.fact(
    'Day',
    `From midnight to midnight, time in ${readCity(zone)}. What a night shift did after midnight is on the page of ${formatLongDay(dayAfter(day, 1))}.`,
  );
  if (version === undefined || page.released_at === undefined) {
    paper.fact('Release', 'Preview, not released');
  } else {
    const corrected = version > 1 ? `Version ${version}, ` : '';
    paper.fact('Release', `${corrected}${formatDateTime(page.released_at, zone)}`);
  }
  paper.fact('Came in', cameIn(page));
  const patrols = lines.filter(({ source }) => source === 'round').length;
  const incidents = lines.filter(({ source }) => source === 'incident');
  paper.fact('Patrols', String(patrols));
  paper.fact(
    'Incidents',
    incidents.length === 0 ? 'None' : incidents.map(({ words }) => words).join(', '),
  );
  if (changes.length > 0) {
    paper.heading('Changed since the version before');
    for (const change of changes) paper.text(changeWords(change, zone), { size: 9.5 });
  }
  writeGuards(paper, day, facts);
  paper.heading('Entries');
  if (lines.length === 0) paper.text('No entries.');
  else {
    paper.table(
      lineRow(['Time', 'Kind', 'Entry', 'By']),
      lines.map(({ at, kind, step, words, author }) => ({
        cells: lineRow([
          formatTime(at, zone),
          lineLabel(kind, step),
          // Guards write paragraphs; a cell has lines.
          words?.replaceAll(/\s*\n\s*/g, ' ') ?? '',
          author ?? '',
        ]),
      })),
    );
  }
  paper.space(3);
  paper.text('Written by the guards on post, in the order in which it happened.', {
    size: 9,
    colour: GREY,
  });
  paper.footer(`${title}, ${facts.site}. Confidential.`);
  return paper;
}
