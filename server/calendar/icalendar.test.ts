import ICAL from 'ical.js';
import { sync } from 'node-ical';
import { afterEach, describe, expect, it } from 'vitest';
import { type CalendarEvent, writeCalendar } from './icalendar.ts';

const CALENDAR = { name: 'Statesman shifts', owner: 'Statesman' };

const event: CalendarEvent = {
  uid: '0b0e1f0e-0000-4000-8000-000000000001@guards.example',
  summary: '中华人民共和国驻利比里亚共和国大使馆经济商务处，辛科尔第九街主楼北门岗亭',
  description: 'Łódź; “Café”, السفارة\nsecond line \\ end 🚨🚨🚨🚨🚨🚨🚨🚨🚨🚨🚨🚨🚨🚨🚨🚨🚨🚨',
  location: 'Mamba Point, Monrovia',
  url: 'https://guards.example/staff/shifts',
  start: new Date('2031-11-30T19:00:00Z'),
  end: new Date('2031-12-01T07:00:00Z'),
  status: 'CONFIRMED',
  createdAt: new Date('2031-11-01T08:00:00Z'),
  changedAt: new Date('2031-11-02T08:00:00.250Z'),
  sequence: 864_003,
};

const ZONE = process.env.TZ;
afterEach(() => {
  if (ZONE === undefined) delete process.env.TZ;
  else process.env.TZ = ZONE;
});

/** Required once each, by section 3.6 and 3.8. */
const ONCE = ['UID', 'DTSTAMP', 'DTSTART', 'DTEND', 'SUMMARY', 'STATUS', 'SEQUENCE'];

describe.each([
  ['an empty feed', []],
  ['a feed with two shifts', [event, { ...event, uid: 'b@guards.example', status: 'CANCELLED' }]],
] as const)('%s', (_, events) => {
  const written = writeCalendar(CALENDAR, events);

  it('has lines of at most 75 octets that end with CRLF and are UTF-8 each by themselves', () => {
    expect(written.endsWith('\r\n')).toBe(true);
    for (const line of written.slice(0, -2).split('\r\n')) {
      expect(line).not.toMatch(/[\r\n\ufffd]/);
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      // A character cut in two would not come back.
      expect(Buffer.from(line).toString()).toBe(line);
    }
  });

  it('has a component, and each property that RFC 5545 requires', () => {
    const lines = written.replaceAll('\r\n ', '').split('\r\n');
    expect(lines.filter((line) => /^BEGIN:(?!VCALENDAR)/.test(line)).length).toBeGreaterThan(0);
    for (const name of ['PRODID', 'VERSION'])
      expect(lines.filter((line) => line.startsWith(`${name}:`))).toHaveLength(1);
    const [, ...parts] = lines.join('\n').split('BEGIN:VEVENT\n');
    expect(parts).toHaveLength(events.length);
    for (const name of ONCE) {
      for (const part of parts) expect(part.match(new RegExp(`^${name}:`, 'gm'))).toHaveLength(1);
    }
  });

  it.each(['UTC', 'Asia/Kolkata', 'America/St_Johns'])(
    'is read by two parsers as it was meant, with TZ=%s',
    (zone) => {
      process.env.TZ = zone;
      const text = writeCalendar(CALENDAR, events);
      const calendar = new ICAL.Component(ICAL.parse(text));
      expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe(CALENDAR.name);
      const read = calendar.getAllSubcomponents('vevent').map((part) => {
        const { uid, summary, description, location, startDate, endDate, sequence } =
          new ICAL.Event(part);
        const [start, end] = [startDate.toJSDate(), endDate.toJSDate()];
        return { uid, summary, description, location, start, end, sequence };
      });
      const expected = events.map(
        ({ uid, summary, description, location, start, end, sequence }) => ({
          uid,
          summary,
          description,
          location,
          start,
          end,
          sequence,
        }),
      );
      expect(read).toEqual(expected);
      const others = Object.values(sync.parseICS(text)).filter((part) => part?.type === 'VEVENT');
      expect(others).toHaveLength(events.length);
      others.forEach((other, at) => {
        expect(other).toMatchObject({
          uid: events[at]?.uid,
          summary: events[at]?.summary,
          description: events[at]?.description,
          status: events[at]?.status,
        });
        expect(new Date(String(other?.start)).getTime()).toBe(events[at]?.start.getTime());
        expect(new Date(String(other?.end)).getTime()).toBe(events[at]?.end.getTime());
      });
    },
  );
});
