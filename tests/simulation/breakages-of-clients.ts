// Of clients who come and go, and of pay by rule.
import type { Breakage } from './breakage.ts';
import { dayOf } from './clock.ts';
import type { World } from './world.ts';

const ENDED_POST = 'nothing is planned or worked at a post after its last day';
const ENDED_CONTRACT = 'nothing is billed after the last day of a contract';
const LAST_MONTH = 'the last month of a contract that has ended is billed';
const QUOTE = `select id from quotes where status <> 'draft' order by year, sequence, version limit 1`;
const DOCUMENTS = 'locked and issued documents never change';
const BILLED_CONTRACT = `
  select i.contract_id from invoices i join invoice_lines l on l.invoice_id = i.id and l.kind = 'regular' and l.credited_at is null
  where i.status <> 'draft' order by i.year, i.sequence limit 1`;

const ERASURE = [
  'no record names an erased guard, or has a number of theirs',
  'what is only about a person ends with their erasure',
  'work and pay of an erased guard stay what they were',
];

export const BREAKAGES_OF_CLIENTS: readonly Breakage[] = [
  {
    breaks: 'a quote is the sum of its lines, and a line its hours of a month at its rate',
    sql: [
      `update quote_lines set amount = amount + 1 where quote_id = (${QUOTE}) and position = 1`,
    ],
    also: [DOCUMENTS],
  },
  {
    breaks: 'numbers of quotes have no gaps, and one version of a number is accepted at most',
    sql: [`update quotes set sequence = sequence + 100 where id = (${QUOTE})`],
    also: [DOCUMENTS],
  },
  {
    breaks:
      'a contract of a quote has its client, first day, posts and rates, and the enquiry is won',
    sql: [
      `update contact_messages set stage = 'won', state = 'closed', lost_reason = null where id = (
        select m.id from contact_messages m where not exists (
          select from quotes q where q.enquiry_id = m.id and q.contract_id is not null) order by m.created_at limit 1)`,
    ],
  },
  {
    breaks: 'a post has the shifts that it asks for in the coming week',
    sql: [
      `update shifts set requirement_id = null where id = (
        select id from shifts where requirement_id is not null
          and start_time between now() + interval '4 days' and now() + interval '6 days' order by start_time, id limit 1)`,
    ],
  },
  {
    breaks: ENDED_POST,
    sql: [
      `update posts set valid_to = (current_date + 1) where id = (
        select p.id from posts p where p.valid_to is null order by p.name limit 1)`,
    ],
  },
  {
    breaks: ENDED_CONTRACT,
    sql: [
      `update contracts set ends_on = (select min(period_start) from invoices i where i.contract_id = contracts.id),
        updated_at = now() where id = (${BILLED_CONTRACT})`,
    ],
  },
  {
    breaks: LAST_MONTH,
    // Of a contract without invoices.
    sql: [
      `update contracts set ends_on = (date_trunc('month', now()) - interval '1 day')::date, updated_at = '2020-01-01'
        where id = (select contract_id from contract_posts order by starts_on, id limit 1)`,
      `update invoices set contract_id = gen_random_uuid() where contract_id in (
        select id from contracts where updated_at < '2021-01-01')`,
    ],
    also: [
      'every gap is credited by the invoice that bills its days',
      'minutes worked at a contract post before the end of an issued invoice are billed, waived or listed as unbilled',
    ],
  },
  {
    breaks: 'no alert is raised at a site whose posts have ended',
    sql: [
      `update posts set valid_from = '2027-01-01', valid_to = '2027-01-01' where site_id = (
        select site_id from alerts where kind = 'missing' order by raised_at, id limit 1)`,
    ],
    also: [ENDED_POST],
  },
  {
    breaks:
      'severance and thirteenth months are entered once, as the rules of their days give them',
    sql: [
      `update pay_adjustments set amount = amount + 1 where id = (
        select a.id from pay_adjustments a where a.kind = 'thirteenth_month' and a.payslip_line_id is null
          and not exists (select from pay_adjustments r where r.staff_id = a.staff_id and r.kind = a.kind and r.status = 'rejected')
        order by a.created_at, a.id limit 1)`,
    ],
  },
  ...ERASURE.map((breaks) => ({
    breaks,
    // Of a guard who is not erased at all.
    act: ({ company, gone }: World) => {
      const [guard] = company.guards;
      const work = { records: 0, minutes: 0, payslips: 0, net: '0' };
      const on = dayOf(Date.now());
      if (guard) gone.push({ guard, on, erasedOn: on, work, patterns: [guard.name] });
      return Promise.resolve(() => gone.pop());
    },
    also: ERASURE,
  })),
];
