// Billing: a month drafted for every client of the demo company, how a client's year was covered, and the clients' portal.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { median, milliseconds, seconds, table } from '../backend/bench/support/report.mjs';
import { ROOT } from '../scripts/setup.mjs';
import { withServers } from '../scripts/test-server.mjs';
import { built } from './built.mjs';
import { portalLoad } from './portal-load.mjs';
import { signedIn, timed } from './signed-in.mjs';

const RUNS = 15;
const FINANCE = { email: 'finance@statesman.example', password: 'Statesman-Demo-1' };

const iso = (ms) => new Date(ms).toISOString().slice(0, 10);

/** Last month, without the drafts and invoices that the demo company has for it. */
async function drafting(client) {
  const now = new Date();
  const month = {
    from: iso(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)),
    to: iso(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0)),
  };
  const { data: issued } = await client
    .from('invoices')
    .select('id')
    .eq('period_end', month.to)
    .neq('status', 'draft')
    .throwOnError();
  for (const { id } of issued) {
    const { data: paid } = await client
      .from('receipt_allocations')
      .select('receipt_id')
      .eq('invoice_id', id)
      .throwOnError();
    for (const { receipt_id } of paid) {
      await client.rpc('void_receipt', { p_id: receipt_id, p_reason: 'Measured' }).throwOnError();
    }
    await client.rpc('credit_invoice', { p_invoice_id: id, p_reason: 'Measured' }).throwOnError();
  }
  const first = await timed(() => client.rpc('draft_invoices', month));
  const again = await timed(() => client.rpc('draft_invoices', month));
  const open = await timed(() =>
    client.rpc('unbilled_time', { p_from: month.from, p_to: month.to }),
  );
  const drafts = again.data.flatMap(({ invoice_id: id }) => (id === null ? [] : [id]));
  return [
    [`a month drafted for ${first.data.length} clients`, 'under 3 s', seconds(first.ms)],
    ['the same again, which changes nothing', 'under 3 s', seconds(again.ms)],
    [`the hours that are not billed, ${open.data.length} records`, '', milliseconds(open.ms)],
    ...(await issuing(client, drafts)),
  ];
}

/** All drafts at once, then the PDF of each, drawn as the server draws those that it mails. */
async function issuing(client, drafts) {
  const issued = await timed(() => client.rpc('issue_invoices', { p_ids: drafts }));
  const ids = issued.data.flatMap(({ id, number }) => (number === null ? [] : [id]));
  const { data: invoices } = await client
    .from('invoices')
    .select('*, lines:invoice_lines(description, quantity, unit, rate, amount)')
    .in('id', ids)
    .order('position', { referencedTable: 'lines' })
    .throwOnError();
  const lines = invoices.reduce((sum, invoice) => sum + invoice.lines.length, 0);
  const entry = path.join(ROOT, 'shared', 'documents', 'invoice-pdf.ts');
  const { invoicePdf } = await import(pathToFileURL(await built(entry, 'invoice-pdf')).href);
  const started = performance.now();
  for (const invoice of invoices) Buffer.from(invoicePdf(invoice).pdf.output('arraybuffer'));
  const drawn = performance.now() - started;
  return [
    [`${ids.length} invoices issued at once`, '', seconds(issued.ms)],
    [`${invoices.length} PDFs of ${lines} lines`, 'under 10 s', seconds(drawn)],
  ];
}

/** Per site, client and month of the last year; the sites of the whole company. */
async function margin(client) {
  const period = {
    p_from: `${iso(Date.now() - 365 * 86_400_000).slice(0, 7)}-01`,
    p_to: iso(Date.now()),
  };
  const times = [];
  let rows = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { ms, data } = await timed(() => client.rpc('margin', period));
    times.push(ms);
    rows = data;
  }
  return [
    [`margin of the company in a year, ${rows.length} rows`, '', milliseconds(median(times))],
  ];
}

/** The books of a year: balances of every account, the profit of its months, a ledger, the journal as it is exported. */
async function books(client) {
  const year = {
    p_from: iso(Date.now() - 365 * 86_400_000),
    p_to: iso(Date.now()),
  };
  const medianOf = async (work) => {
    const times = [];
    for (let run = 0; run < RUNS; run += 1) times.push((await timed(work)).ms);
    return milliseconds(median(times));
  };
  const { data: balances } = await client.rpc('account_balances', year).throwOnError();
  const busiest = balances.toSorted((a, b) => b.debit + b.credit - a.debit - a.credit)[0];
  const ledger = { p_account_id: busiest.account_id, p_currency: busiest.currency, p_page: 1 };
  const exported = await timed(() => client.rpc('journal_lines', year));
  return [
    [
      `trial balance of a year, ${balances.length} accounts`,
      'under 300 ms',
      await medianOf(() => client.rpc('account_balances', year)),
    ],
    ['profit of its months', '', await medianOf(() => client.rpc('profit_by_month', year))],
    [
      `a page of the ledger of ${busiest.name}`,
      '',
      await medianOf(() => client.rpc('account_ledger', { ...year, ...ledger })),
    ],
    [`journal of a year, ${exported.data.length} lines`, 'under 3 s', seconds(exported.ms)],
  ];
}

/** A statement with 500 documents that are on none, and what each of its lines is proposed to be. */
async function bank(client) {
  const { data: feeds } = await client.from('bank_feeds').select('bank_account_id').throwOnError();
  const of = { p_bank_account_id: feeds[0].bank_account_id };
  const { data: documents } = await client.rpc('open_bank_documents', of).throwOnError();
  const rows = documents
    .toSorted((a, b) => a.day.localeCompare(b.day))
    .map(({ day, amount, document }) => ({ day, amount: Number(amount), description: document }));
  const statement = { ...of, p_file_name: 'bench.csv', p_rows: rows, p_closing: 0 };
  const imported = await timed(() => client.rpc('import_bank_lines', statement));
  const times = [];
  for (let run = 0; run < RUNS; run += 1)
    times.push((await timed(() => client.rpc('bank_proposals', of))).ms);
  const day = { ...of, p_day: iso(Date.now()) };
  const compared = await timed(() => client.rpc('bank_reconciliation', day));
  return [
    [`a statement of ${rows.length} lines imported`, '', milliseconds(imported.ms)],
    [`its lines proposed`, 'under 1 s', milliseconds(median(times))],
    ['statements compared with the books', '', milliseconds(compared.ms)],
  ];
}

/** For the client with most shifts; the demo company has five months of them. */
async function coverage(client) {
  const today = Date.now();
  const year = { from: iso(today - 365 * 86_400_000), to: iso(today) };
  const { data: sites } = await client.from('sites').select('client_id, posts(id)').throwOnError();
  const posts = new Map();
  for (const { client_id, posts: own } of sites) {
    posts.set(client_id, (posts.get(client_id) ?? 0) + own.length);
  }
  const [[busiest]] = [...posts].sort((a, b) => b[1] - a[1]);
  const times = [];
  let days = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const { ms, data } = await timed(() => client.rpc('coverage', { ...year, client_id: busiest }));
    times.push(ms);
    days = new Set(data.map(({ day }) => day)).size;
  }
  return [
    [
      `coverage of a year of the client with most posts, ${days} days with shifts`,
      'under 200 ms',
      milliseconds(median(times)),
    ],
  ];
}

export default async function billing() {
  await withServers(1, async ([{ url }]) => {
    const client = await signedIn(url, FINANCE);
    const rows = [
      ...(await portalLoad(url)),
      ...(await coverage(client)),
      ...(await drafting(client)),
      ...(await margin(client)),
      ...(await books(client)),
      ...(await bank(client)),
    ];
    console.log(
      `Median of ${RUNS} over HTTP; drafting, issuing and PDFs once; the portal of 5 visits.\n`,
    );
    table(['what', 'goal', 'measured'], rows);
  });
}
