// From an enquiry on the website to a quote, its answer, and a new client with a contract and a post that is manned.
import { Random } from '#demo/random.ts';
import { addDays, instantOf } from './clock.ts';
import { DAY_AND_NIGHT } from './company.ts';
import { accepted, refusalOf } from './door.ts';
import type { Invariant } from './invariant.ts';
import { CLIENT_NAMES, uuidFrom } from './lists.ts';
import type { World } from './world.ts';

const HAPPENS = 0.2;
/** More than the company was set up with: guards are few. */
const MORE_SITES = 1;
const ALREADY_STORED = '23505';

export const ENQUIRIES: readonly Invariant[] = [
  {
    name: 'a quote is the sum of its lines, and a line its hours of a month at its rate',
    sql: `
      select q.id, q.number, q.subtotal, q.tax, q.total, sum(l.amount) as lines
      from quotes q join quote_lines l on l.quote_id = q.id group by q.id
      having q.subtotal <> sum(l.amount) or q.tax <> sum(l.tax_amount) or q.total <> sum(l.amount + l.tax_amount)
        or bool_or(not q.prices_include_tax
          and l.amount <> round(round(l.guards * l.hours_a_day * l.days_a_week * 52 / 12, 2) * l.rate, 2))`,
  },
  {
    name: 'numbers of quotes have no gaps, and one version of a number is accepted at most',
    sql: `
      select year, max(sequence) as last, count(distinct sequence)::int as numbers from quotes where year is not null
      group by year having max(sequence) <> count(distinct sequence)
      union all
      select year, sequence, count(*)::int from quotes where status = 'accepted' group by 1, 2 having count(*) > 1`,
  },
  {
    name: 'a contract of a quote has its client, first day, posts and rates, and the enquiry is won',
    sql: `
      select q.id, q.number, k.id as contract, m.stage from quotes q join contracts k on k.id = q.contract_id
      left join contact_messages m on m.id = q.enquiry_id
      where q.status <> 'accepted' or k.client_id <> q.client_id or k.currency <> q.currency or k.starts_on <> q.starts_on
        or m.stage <> 'won' or exists (
          select from quote_lines l where l.quote_id = q.id and 1 <> (
            select count(*) from contract_posts c join posts p on p.id = c.post_id
            join rates r on r.contract_post_id = c.id and r.amount = l.rate and r.effective_from = q.starts_on
            where c.contract_id = k.id and lower(p.name) = lower(l.post_name)))
      union all
      select m.id, m.company, null, m.stage from contact_messages m where m.stage = 'won'
        and not exists (select from quotes q where q.enquiry_id = m.id and q.contract_id is not null)`,
  },
];

interface Lead {
  id: string;
  quoteId: string;
  name: string;
  company: string;
  /** First day of work. */
  from: string;
  day: string;
  rate: number;
}

async function write({ door }: World, { id, name, company }: Lead): Promise<undefined> {
  const visitor = door.client();
  // The answer is lost, so it is sent again.
  for (const _ of [1, 2]) {
    const answer = await visitor.from('contact_messages').insert({
      ...{ id, name, company, email: `manager@${id.slice(0, 8)}.example` },
      message: 'We need a guard at our gate, day and night.',
    });
    if (answer.error?.code !== ALREADY_STORED) accepted(answer);
  }
}

/** What the office notes about the enquiry, as its dialog saves it. */
async function handle(
  { company }: World,
  id: string,
  what: { stage: 'talks' | 'lost'; state: 'answered' | 'closed'; on: string | null },
): Promise<undefined> {
  accepted(
    await company.operations.client
      .from('contact_messages')
      .update({
        ...{ state: what.state, stage: what.stage, owner_id: company.operations.id, note: null },
        lost_reason: what.stage === 'lost' ? 'Too dear' : null,
        ...{ next_action: what.on && 'Visit the site', next_action_on: what.on },
      })
      .eq('id', id)
      .select('id')
      .single(),
  );
}

async function quote({ company }: World, lead: Lead, id: string, rate: number): Promise<undefined> {
  const { client } = company.operations;
  const save = (price: number, seen?: string) =>
    client.rpc('save_quote', {
      ...{ p_id: id, p_enquiry_id: lead.id },
      p_terms: {
        ...{ client_id: null, client_name: lead.company, contact_name: lead.name, terms: null },
        ...{ email: null, site_name: `${lead.company} Yard`, site_address: 'Somalia Drive' },
        ...{ currency: 'USD', prices_include_tax: false, payment_terms_days: 14 },
        ...{ starts_on: lead.from, valid_until: addDays(lead.day, 20) },
      },
      p_lines: [
        {
          ...{ post_name: `Gate of ${lead.company}`, guards: 1, hours_a_day: 24, days_a_week: 7 },
          ...{ rate: price, vat_treatment: 'standard' },
        },
      ],
      ...(seen !== undefined && { p_seen: seen }),
    });
  const { data: drafted } = accepted(await save(rate + 1));
  accepted(await save(rate, drafted?.updated_at));
  for (const _ of [1, 2]) accepted(await client.rpc('send_quote', { p_id: id, p_email: '' }));
}

/** The posts get their hours and the site its position, so that it is rostered from its first day on. */
async function open({ company }: World, lead: Lead, contractId: string): Promise<string> {
  const { admin, operations, sites } = company;
  const { data: places } = accepted(
    await operations.client
      .from('contract_posts')
      .select('post_id, site:sites!inner(id, name, client_id)')
      .eq('contract_id', contractId),
  );
  for (const { post_id, site } of places ?? []) {
    if (post_id === null || site.client_id === null) continue;
    const [latitude, longitude] = [6.25, -10.7];
    accepted(await admin.client.from('sites').update({ latitude, longitude }).eq('id', site.id));
    accepted(
      await operations.client.rpc('save_requirement', {
        p_post_id: post_id,
        p_requirement: {
          ...{ preset: 'day_and_night_12', valid_from: lead.from, valid_to: null, cycle_days: 1 },
          slots: DAY_AND_NIGHT,
        },
      }),
    );
    const gps = `${latitude.toFixed(4)},${longitude.toFixed(4)}`;
    sites.push({ id: site.id, name: site.name, clientId: site.client_id, gps });
  }
  return `${places?.length} posts`;
}

function planAnswer(world: World, lead: Lead, random: Random): void {
  const { agenda, company, size } = world;
  const { client } = company.operations;
  let { quoteId } = lead;
  const answers = random.among({ accepts: 45, haggles: 25, declines: 20, silent: 10 });
  const discount = random.int(1, 9) / 10;
  const isUndone = random.chance(0.25);
  const at = (days: number, time: string, what: string, run: () => Promise<string | undefined>) =>
    agenda.add(
      instantOf(addDays(lead.day, days), time),
      `${what} the quote to ${lead.company}`,
      run,
    );
  const answer = async (p_status: 'accepted' | 'declined' | 'sent'): Promise<undefined> => {
    for (const _ of [1, 2])
      accepted(
        await client.rpc('answer_quote', { p_id: quoteId, p_status, p_reason: 'The price' }),
      );
  };
  if (answers === 'silent') return;
  if (answers === 'declines') {
    at(3, '09:10', 'the enquirer declines', () => answer('declined'));
    at(3, '09:30', 'operations gives up', () =>
      handle(world, lead.id, { state: 'closed', stage: 'lost', on: null }),
    );
    return;
  }
  if (answers === 'haggles')
    at(2, '15:05', 'operations lowers', async () => {
      // Twice is one draft.
      for (const _ of [1, 2]) {
        const { data } = accepted(await client.rpc('revise_quote', { p_id: lead.quoteId }));
        quoteId = data ?? quoteId;
      }
      return quote(world, lead, quoteId, lead.rate - discount);
    });
  at(3, '09:10', 'the enquirer accepts', () => answer('accepted'));
  const turn = async (): Promise<string> => {
    const { client: turner } = company.admin;
    let contractId = '';
    for (const _ of [1, 2]) {
      const { data } = accepted(await turner.rpc('turn_into_contract', { p_quote_id: quoteId }));
      contractId = data ?? '';
    }
    return contractId;
  };
  at(3, '10:20', 'the admin makes a contract of', async () => {
    if (company.sites.length >= size.sites + MORE_SITES) return 'there are too few guards';
    const contractId = await turn();
    const opens = (id: string) =>
      at(4, '08:35', 'operations gives hours to the posts of', () => open(world, lead, id));
    if (!isUndone) {
      opens(contractId);
      return undefined;
    }
    at(3, '11:15', 'the admin takes back the contract of', async () => {
      for (const _ of [1, 2])
        accepted(await company.admin.client.rpc('take_contract_back', { p_quote_id: quoteId }));
      await answer('sent');
      return undefined;
    });
    at(3, '11:35', 'the enquirer accepts again', () => answer('accepted'));
    at(3, '11:55', 'the admin makes a contract again of', async () => {
      opens(await turn());
      return undefined;
    });
    return undefined;
  });
}

export function planEnquiries(world: World, day: string): void {
  const { agenda, size } = world;
  const random = new Random(`simulation/${size.seed}/enquiry/${day}`);
  if (!random.chance(HAPPENS)) return;
  const lead: Lead = {
    ...{ id: uuidFrom(random), quoteId: uuidFrom(random), name: 'Martha Flomo', day },
    company: `${random.pick(CLIENT_NAMES)} of ${day}`,
    from: addDays(day, random.int(9, 16)),
    rate: random.int(300, 500) / 100,
  };
  const add = (days: number, time: string, what: string, run: () => Promise<string | undefined>) =>
    agenda.add(instantOf(addDays(day, days), time), `${what} ${lead.company}`, run);
  add(0, '10:40', 'an enquiry comes from', () => write(world, lead));
  add(0, '14:40', 'operations calls', () =>
    handle(world, lead.id, { state: 'answered', stage: 'talks', on: addDays(day, 1) }),
  );
  add(1, '09:35', 'operations sends a quote to', () =>
    refusalOf(() => quote(world, lead, lead.quoteId, lead.rate)),
  );
  planAnswer(world, lead, random);
}
