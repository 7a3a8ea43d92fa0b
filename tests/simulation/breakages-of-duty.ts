// Of what people on duty are told, and of their safety.
import type { Breakage } from './breakage.ts';

const ALERT_OF_CHECK =
  'the alert of a welfare check is open until an answer, the end of the work, or somebody who closes it';
const ON_SCREENS =
  'announcements on screens are those that address the reader, with who has read them';
const LINES =
  'the book of a post has each line once, as it was first sent, and over and struck through once';

export const BREAKAGES_OF_DUTY: readonly Breakage[] = [
  {
    breaks: 'who has read an announcement is who has confirmed it',
    sql: [
      `delete from announcement_readings where id = (
        select id from announcement_readings order by received_at, id limit 1)`,
    ],
    also: [ON_SCREENS],
  },
  {
    breaks:
      'everybody whom an announcement addresses has one notice of each version, and none once it is withdrawn',
    sql: [
      `insert into notices (user_id, kind, title, body, link)
        select user_id, kind, title || '.', body, link from notices where kind = 'announcement'
        order by created_at, id limit 1`,
    ],
  },
  {
    breaks: ON_SCREENS,
    sql: [
      `insert into announcements (title, body, audience, last_day) values ('Nobody sees it', 'At all', 'everybody', current_date)`,
    ],
  },
  {
    breaks: 'a welfare check without an answer in time has one alert, and no other has one',
    sql: [
      `update welfare_checks set alerted_at = due_at where id = (
        select id from welfare_checks where alerted_at is null order by due_at, id limit 1)`,
    ],
  },
  {
    breaks: ALERT_OF_CHECK,
    sql: [
      `update alerts set closed_at = null, outcome = null, note = null, acknowledged_at = now() where id = (
        select id from alerts where kind = 'welfare' and closed_at is not null and closed_by is null
        order by raised_at, id limit 1)`,
    ],
    also: ['an alert that nobody answers is escalated twice, and none that somebody has answered'],
  },
  {
    breaks: 'a guard is asked once, and reminded twice at most',
    sql: [
      `delete from notices where id = (select id from notices where kind = 'welfare' order by created_at, id limit 1)`,
    ],
  },
  {
    breaks: 'an alert that nobody answers is escalated twice, and none that somebody has answered',
    sql: [
      `update alerts set escalated_at = acknowledged_at + interval '1 minute', escalations = 1 where id = (
        select id from alerts where kind = 'sos' and acknowledged_at < now() - interval '2 days' order by raised_at limit 1)`,
    ],
  },
  {
    breaks: 'each SOS is in one alert, which was open then, and which only a person closes',
    sql: [
      `update alerts set closed_by = null where id = (
        select id from alerts where kind = 'sos' and closed_at is not null order by raised_at limit 1)`,
    ],
  },
  {
    breaks: 'everybody who plans the site gets one notice of an SOS at once, except who pressed',
    sql: [
      `insert into sos_events (id, user_id, received_at, happened_at)
        select '00000000-0000-4000-8000-000000000002', user_id, now(), now() from sos_events limit 1`,
      `insert into alerts (cause, kind, site_id, user_id, raised_at, acknowledged_at)
        select 'sos:' || e.id, 'sos', t.id, e.user_id, e.received_at, e.received_at
        from sos_events e, sites t where e.id = '00000000-0000-4000-8000-000000000002' limit 1`,
    ],
    also: ['a guard sees their SOS while its alert is open'],
  },
  {
    breaks: 'a guard sees their SOS while its alert is open',
    sql: [
      `insert into sos_events (id, user_id, received_at, happened_at)
        select '00000000-0000-4000-8000-000000000002', a.user_id, now(), now() from assignments a
        where a.starts_at > now() order by a.starts_at, a.id limit 1`,
      `insert into alerts (cause, kind, site_id, user_id, raised_at, acknowledged_at)
        select 'sos:' || e.id, 'sos', t.id, e.user_id, e.received_at, e.received_at
        from sos_events e, sites t where e.id = '00000000-0000-4000-8000-000000000002' limit 1`,
    ],
    also: ['everybody who plans the site gets one notice of an SOS at once, except who pressed'],
  },
  {
    breaks: LINES,
    sql: [
      `update post_entries set text = text || '.' where id = (
        select id from post_entries where written_at > now() - interval '20 days' order by written_at, id limit 1)`,
    ],
  },
  {
    breaks: 'who has not left and which key is not back is listed on the phone of who is on duty',
    // At the site of a guard who is on duty.
    sql: [
      `insert into visits (site_id, kind, name, in_at)
        select a.site_id, 'person', 'Nobody', now() from assignments a where a.attendance_state = 'in'
          and upper(a.period) > now() - interval '11 hours' order by a.starts_at desc limit 1`,
    ],
    also: [LINES],
  },
  {
    breaks: 'each event that a panel signed is stored once, and each alarm is one call or in one',
    sql: [
      `delete from panel_events where id = (select id from panel_events order by received_at, id limit 1)`,
    ],
  },
  {
    // A call of a panel that nothing has signed.
    breaks: 'each event that a panel signed is stored once, and each alarm is one call or in one',
    sql: [
      `update service_calls set source_key = source_key || '.' where id = (
        select id from service_calls where source = 'panel' order by received_at, id limit 1)`,
    ],
  },
];
