// Invoices of the month before, and what clients do about them: pay, pay late, too little or too much, and complain.
import { Random } from '#demo/random.ts';
import { addDays, instantOf } from './clock.ts';
import { accepted } from './door.ts';
import { uuidFrom } from './lists.ts';
import type { World } from './world.ts';

const BILLED_ON = 4;

interface Issued {
  id: string;
  client_id: string;
  number: string | null;
  currency: string;
  total: number;
  open_amount: number | null;
}

async function bill(world: World, day: string): Promise<string> {
  const { finance } = world.company;
  const { data: drafted } = accepted(await finance.client.rpc('draft_due_invoices', { p_on: day }));
  const ids = (drafted ?? []).flatMap(({ invoice_id, total }) =>
    invoice_id !== null && total >= 0 ? [invoice_id] : [],
  );
  if (ids.length === 0) return 'nothing is due';
  const { data: answers } = accepted(await finance.client.rpc('issue_invoices', { p_ids: ids }));
  const refused = (answers ?? []).flatMap(({ refusal }) => refusal ?? []);
  const { data } = accepted(
    await finance.client
      .from('invoices')
      .select('id, client_id, number, currency, total, open_amount')
      .in('id', ids)
      .neq('status', 'draft')
      .order('number'),
  );
  for (const invoice of data ?? []) planClient(world, invoice, day);
  return `${data?.length} issued${refused.length > 0 ? `, refused: ${refused.join('; ')}` : ''}`;
}

/** What the client does with an invoice. Names of streams are numbers, because ids are made at random. */
function planClient(world: World, invoice: Issued, day: string): void {
  const { agenda, company } = world;
  const { finance } = company;
  const random = new Random(`simulation/${world.size.seed}/invoice/${invoice.number}`);
  const pays = random.among({ exactly: 60, less: 20, more: 15, never: 5 });
  const paidOn = addDays(day, random.int(1, 18));
  const isVoided = random.chance(0.15);
  const withholds = random.chance(0.2);
  if (random.chance(0.2)) {
    const on = addDays(day, random.int(1, 10));
    agenda.add(instantOf(on, '15:00'), `finance credits a line of ${invoice.number}`, () =>
      creditLine(world, invoice),
    );
  }
  if (pays === 'never') return;
  const receive = async (share: number, on: string): Promise<string | undefined> => {
    const { data: now } = accepted(
      await finance.client.from('invoices').select('open_amount').eq('id', invoice.id).single(),
    );
    const open = now?.open_amount ?? 0;
    const cents = Math.round(open * share * 100);
    if (cents <= 0) return 'nothing is open';
    const withheld = withholds ? Math.round(cents / 10) : 0;
    const receipt = {
      p_client_id: invoice.client_id,
      p_currency: invoice.currency,
      p_amount: (cents - withheld) / 100,
      p_withheld: withheld / 100,
      p_received_on: on,
      p_method: 'bank',
      p_reference: `${invoice.number} ${on}`,
      p_allocations: [{ invoice_id: invoice.id, amount: Math.min(cents / 100, open) }],
      p_id: uuidFrom(random),
    };
    // The answer is lost, so it is recorded again.
    for (const _ of [1, 2]) accepted(await finance.client.rpc('record_receipt', receipt));
    if (isVoided && share < 1)
      agenda.add(
        instantOf(on, '18:00'),
        `finance voids a receipt of ${invoice.number}`,
        async () => {
          accepted(
            await finance.client.rpc('void_receipt', {
              p_id: receipt.p_id,
              p_reason: 'Of another client',
            }),
          );
          return undefined;
        },
      );
    if (share > 1) planRefund(world, invoice, receipt.p_id, on);
    return `${receipt.p_amount}`;
  };
  const shares = { exactly: [1], less: [0.4, 1], more: [1.25] }[pays];
  for (const [index, share] of shares.entries()) {
    const on = addDays(paidOn, index * 6);
    agenda.add(instantOf(on, '16:00'), `finance records a receipt for ${invoice.number}`, () =>
      receive(share, on),
    );
  }
}

/** What a client paid too much goes back to half of them, and does not always arrive. */
function planRefund(world: World, invoice: Issued, receipt: string, day: string): void {
  const { agenda, company } = world;
  const { admin, finance } = company;
  const random = new Random(`simulation/${world.size.seed}/refund/${invoice.number}`);
  if (!random.chance(0.5)) return;
  const on = addDays(day, 1);
  const comesBack = random.chance(0.3);
  agenda.add(
    instantOf(on, '10:00'),
    `finance refunds what is too much of ${invoice.number}`,
    async () => {
      const { data: now } = accepted(
        await finance.client
          .from('receipts')
          .select('unallocated, amount')
          .eq('id', receipt)
          .single(),
      );
      const amount = Math.min(now?.unallocated ?? 0, now?.amount ?? 0);
      if (amount <= 0) return 'nothing is on account';
      const { data: refund } = accepted(
        await finance.client.rpc('ask_refund', {
          p_receipt_id: receipt,
          p_amount: amount,
          p_method: 'bank',
          p_reason: 'Paid too much',
        }),
      );
      const p_id = refund?.id ?? '';
      accepted(await admin.client.rpc('decide_refund', { p_id, p_approve: true, p_paid_on: on }));
      if (comesBack)
        accepted(
          await admin.client.rpc('return_refund', {
            p_id,
            p_returned_on: on,
            p_reason: 'The account is closed',
          }),
        );
      return `${amount}`;
    },
  );
}

async function creditLine(world: World, { id }: Issued): Promise<string | undefined> {
  const { finance } = world.company;
  const { data: lines } = accepted(
    await finance.client
      .from('invoice_lines')
      .select('id, amount, kind')
      .eq('invoice_id', id)
      .is('credited_at', null)
      .gt('amount', 0)
      .order('position'),
  );
  const { data: now } = accepted(
    await finance.client.from('invoices').select('open_amount').eq('id', id).single(),
  );
  const line = lines?.findLast(({ amount }) => amount <= (now?.open_amount ?? 0));
  if (!line) return 'no line can be credited';
  // A third of it, where it is no line that others follow from.
  const isPart = line.kind === 'regular' && world.size.seed % 2 === 1;
  const { data } = accepted(
    await finance.client.rpc('credit_invoice_parts', {
      p_invoice_id: id,
      p_reason: 'The client disagrees',
      p_parts: [{ line_id: line.id, ...(isPart && { amount: (line.amount / 3).toFixed(2) }) }],
    }),
  );
  return data?.number;
}

export function planBilling(world: World, day: string): void {
  if (Number(day.slice(8)) !== BILLED_ON) return;
  world.agenda.add(instantOf(day, '15:30'), 'finance bills what is due', () => bill(world, day));
}
