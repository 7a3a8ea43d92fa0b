import { insertRows } from '../insert-rows.ts';
import namesData from '../people/names.json' with { type: 'json' };
import { idOf, Random } from '../random.ts';
import type { Loading } from './business.ts';
import ENQUIRIES from './enquiries.json' with { type: 'json' };

const { men: MEN, surnames: SURNAMES, women: WOMEN } = namesData;

const COUNT = 36;

type Stage = 'new' | 'talks' | 'quoted' | 'won' | 'lost';

/** The newest answered ones have quotes; of the closed ones a few were won or lost. */
const STAGES: Readonly<Record<number, Stage>> = {
  ...{ 7: 'quoted', 8: 'quoted', 9: 'quoted', 10: 'talks', 11: 'talks', 12: 'talks', 13: 'talks' },
};
const LOST: Readonly<Record<number, string>> = {
  15: 'Another company was cheaper',
  19: 'The project was stopped',
};
const WON: readonly number[] = [17];

/** In days from today. */
const NEXT: Readonly<Record<number, readonly [day: number, action: string]>> = {
  7: [2, 'Ask for the decision'],
  8: [-1, 'Call about the price'],
  10: [0, 'Visit the site'],
  11: [4, 'Call back'],
};

function stageOf(number: number, state: string): Stage {
  if (state === 'new') return 'new';
  if (state === 'answered') return STAGES[number] ?? 'talks';
  return LOST[number] ? 'lost' : WON.includes(number) ? 'won' : 'new';
}

/** Its number is that of the enquiry. */
const QUOTES = [
  {
    enquiry: 9,
    status: 'accepted',
    site: 'Guest House',
    address: 'Congo Town',
    guards: 2,
    rate: 3.4,
  },
  {
    enquiry: 8,
    status: 'sent',
    site: 'Pharmacy Depot',
    address: 'Randall Street',
    guards: 1,
    rate: 3.25,
  },
  {
    enquiry: 7,
    status: 'sent',
    site: 'Camp',
    address: 'Road to Sanniquellie',
    guards: 4,
    rate: 3.9,
  },
  { enquiry: 10, status: 'draft', site: 'Store', address: 'Gardnersville', guards: 1, rate: 3.5 },
] as const;

/** Quotes with a post by day and one by night; the sent ones are numbered in their order. */
async function insertQuotes(
  { client, calendar, people }: Loading,
  enquirers: readonly { name: string; email: string; company: string | null }[],
): Promise<void> {
  const ops = people.named('ops').id;
  const year = Number(calendar.date(-10).slice(0, 4));
  const quotes = QUOTES.map(({ enquiry, status, site, address }, at) => ({
    id: idOf('quote', at),
    enquiry_id: idOf('enquiry', enquiry),
    client_name: enquirers[enquiry]?.company ?? enquirers[enquiry]?.name ?? '',
    contact_name: enquirers[enquiry]?.name ?? '',
    email: enquirers[enquiry]?.email ?? '',
    site_name: site,
    site_address: address,
    starts_on: calendar.month(1).first,
    valid_until: calendar.date(30 - 3 * at),
    terms: 'Uniforms, radios and a supervisor’s round each night are included.',
    created_by: ops,
    created_at: calendar.past(calendar.at(-12 + at, 10)),
    ...{ status: 'draft', isSent: status !== 'draft', isAccepted: status === 'accepted' },
  }));
  await insertRows(
    client,
    'quotes',
    quotes.map(({ isSent: _, isAccepted: __, ...row }) => row),
  );
  await insertRows(
    client,
    'quote_lines',
    QUOTES.flatMap(({ guards, rate }, at) =>
      ['Gate by Day', 'Gate by Night'].map((post_name, position) => ({
        id: idOf('quote line', at * 2 + position),
        quote_id: idOf('quote', at),
        position: position + 1,
        post_name,
        guards,
        hours_a_day: 12,
        days_a_week: 7,
        rate,
      })),
    ),
  );
  await client.query('select private.price_quote(q.id) from public.quotes q');
  const sent = quotes.filter(({ isSent }) => isSent);
  for (const [at, { id, isAccepted }] of sent.entries()) {
    await client.query(
      `update public.quotes set status = $2, year = $3, sequence = $4, sent_on = $5::date, sent_by = $6::uuid,
         decided_on = case when $2::text = 'accepted' then $7::date end,
         decided_by = case when $2::text = 'accepted' then $6::uuid end
       where id = $1`,
      [
        id,
        isAccepted ? 'accepted' : 'sent',
        year,
        at + 1,
        calendar.date(-10 + at),
        ops,
        calendar.date(-2),
      ],
    );
  }
  await client.query(
    `insert into private.document_numbers (kind, year, last) values ('quote', $1, $2)`,
    [year, sent.length],
  );
}

export async function insertEnquiries(company: Loading): Promise<void> {
  const { client, calendar, people } = company;
  const random = new Random('enquiries');
  const owners = [people.named('ops').id, people.named('admin').id];
  const rows = Array.from({ length: COUNT }, (_, number) => {
    // Newest first; those of the last days are still new.
    const day = -Math.floor(number * 2.4);
    const first = random.pick(random.chance(0.6) ? MEN : WOMEN);
    const last = random.pick(SURNAMES);
    const { company: firm, message } = random.pick(ENQUIRIES.messages);
    const settled = random.chance(0.6) ? 'closed' : 'answered';
    const outcome = LOST[number] || WON.includes(number) ? 'closed' : settled;
    const state = number < 7 ? 'new' : number < 14 ? 'answered' : outcome;
    const at = calendar.at(day, random.int(7, 21), random.int(0, 59));
    const next = NEXT[number];
    return {
      id: idOf('enquiry', number),
      name: `${first} ${last}`,
      email: `${first}.${last}@mail.example`.toLowerCase(),
      company: firm,
      message,
      state,
      note: state === 'new' ? null : random.pick(ENQUIRIES.answers),
      created_at: calendar.past(at),
      stage: stageOf(number, state),
      lost_reason: LOST[number] ?? null,
      owner_id: state === 'new' ? null : (owners[number % 2] ?? null),
      next_action: next?.[1] ?? null,
      next_action_on: next ? calendar.date(next[0]) : null,
      handled_at: state === 'new' ? null : calendar.past(at + 4 * 3_600_000),
    };
  });
  await insertRows(client, 'contact_messages', rows);
  await insertQuotes(company, rows);
}
