// Writes iCalendar text (RFC 5545).

export interface CalendarEvent {
  uid: string;
  summary: string;
  description: string;
  location: string;
  url: string;
  start: Date;
  end: Date;
  status: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED';
  createdAt: Date;
  changedAt: Date;
  /** Grows with each change, so that calendars replace what they have. */
  sequence: number;
}

const MAX_OCTETS = 75;

/** Section 3.1: at most 75 octets a line, and no character cut in two. */
function folded(line: string): string {
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MAX_OCTETS) {
      lines.push(current);
      current = ' ';
      octets = 1;
    }
    current += character;
    octets += size;
  }
  return [...lines, current].join('\r\n');
}

/** Section 3.3.11. Control characters are not allowed (3.1). */
const text = (value: string): string =>
  value
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b-\x1f\x7f]/g, '')
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\n/g, '\\n');

/** Section 3.3.5, form 2: in UTC, whatever the server's zone. */
const instant = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, '');

const eventLines = (event: CalendarEvent, now: Date): string[] => [
  'BEGIN:VEVENT',
  `UID:${text(event.uid)}`,
  `DTSTAMP:${instant(now)}`,
  `DTSTART:${instant(event.start)}`,
  `DTEND:${instant(event.end)}`,
  `SUMMARY:${text(event.summary)}`,
  ...(event.description ? [`DESCRIPTION:${text(event.description)}`] : []),
  ...(event.location ? [`LOCATION:${text(event.location)}`] : []),
  `URL:${event.url}`,
  `STATUS:${event.status}`,
  `TRANSP:${event.status === 'CANCELLED' ? 'TRANSPARENT' : 'OPAQUE'}`,
  `X-MICROSOFT-CDO-BUSYSTATUS:${event.status === 'CANCELLED' ? 'FREE' : 'BUSY'}`,
  `CREATED:${instant(event.createdAt)}`,
  `LAST-MODIFIED:${instant(event.changedAt)}`,
  `SEQUENCE:${event.sequence}`,
  'END:VEVENT',
];

/** A calendar needs a component (section 3.6), also without events. */
const TIMEZONE = [
  'BEGIN:VTIMEZONE',
  'TZID:Etc/UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'TZNAME:UTC',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** @param owner the organisation that writes it */
export function writeCalendar(
  { name, owner }: { name: string; owner: string },
  events: readonly CalendarEvent[],
  now = new Date(),
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${text(`-//${owner}//Shifts//EN`)}`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${text(name)}`,
    'X-PUBLISHED-TTL:PT1H',
    ...TIMEZONE,
    ...events.flatMap((event) => eventLines(event, now)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}
