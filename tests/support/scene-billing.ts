// What the small company bills.
import { bystander } from './people.ts';
import type { SceneBase } from './scene-rows.ts';

/** A contract with a post and a rate, a draft of its invoice, and waived time. @returns the contract's site */
export async function addBilling({ one, insert }: SceneBase): Promise<string> {
  const client = await one(`insert into clients (name, number_of_guards, monthly_rate, location)
    values ('Billed', 1, 100, 'Monrovia') returning id`);
  const site = await one(
    `insert into sites (name, client_name, client_id, address) values ('Billed', 'Billed', $1, 'Monrovia') returning id`,
    [client],
  );
  const contract = await insert(
    'contracts',
    `(client_id, title, starts_on) values ($1, 'Guards', '2027-01-01')`,
    [client],
    { inUse: true },
  );
  await insert(
    'contract_posts',
    `(contract_id, site_id, ends_on) values ($1, $2, '2030-06-30')`,
    [contract, site],
    {},
  );
  await insert(
    'rates',
    `(contract_id, amount, effective_from) values ($1, 3.5, '2027-01-01')`,
    [contract],
    {},
  );
  await insert(
    'tax_rates',
    `(name, rate, effective_from) values ('GST', 0.1, '2027-01-01')`,
    [],
    {},
  );
  await addVat({ one, insert }, client);
  await insert(
    'billed_time',
    `(user_id, site_id, span, kind, waived_at, waived_reason)
     values ($1, $2, '[2027-03-01T08:00Z,2027-03-01T09:00Z)', 'regular', now(), 'Training')`,
    [bystander.id, site],
    {},
  );
  const invoice = await insert(
    'invoices',
    `(contract_id, client_id, period_start, period_end, currency) values ($1, $2, '2027-03-01', '2027-03-31', 'USD')`,
    [contract, client],
    {},
  );
  await insert(
    'invoice_lines',
    `(invoice_id, description, rate) values ($1, 'Extra radio', 25)`,
    [invoice],
    {},
  );
  await addDocuments({ one, insert }, contract);
  await addBookEntry({ insert });
  await addStatement({ one, insert });
  return site;
}

/** Of a day so late that nothing else of the scene has VAT. */
async function addVat(
  { one, insert }: Pick<SceneBase, 'one' | 'insert'>,
  client: string,
): Promise<void> {
  // Not among the rows: the registration needs it.
  await one(
    `insert into tax_rates (name, rate, effective_from) values ('Levy', 0.1, '2035-01-01') returning id`,
  );
  await insert(
    'vat_registrations',
    `(tax_name, number, registered_from, registered_to) values ('Levy', '500', '2090-01-01', '2090-12-31')`,
    [],
    {},
  );
  await insert(
    'vat_exemptions',
    `(client_id, certificate, valid_from) values ($1, 'DIP 7', '2090-01-01')`,
    [client],
    {},
  );
  const month = await insert(
    'vat_returns',
    `(month, lrd_per_usd) values ('2090-01-01', 190)`,
    [],
    {},
  );
  await insert(
    'vat_return_lines',
    `(return_id, box, kind, document_id, document, day, party, currency, net, vat)
     values ($1, 'input', 'expense', gen_random_uuid(), 'Fuel', '2090-01-05', 'Total', 'USD', 100, 18)`,
    [month],
    {},
  );
}

/** Capital paid into the bank. */
async function addBookEntry({ insert }: Pick<SceneBase, 'insert'>): Promise<void> {
  const entry = await insert(
    'book_entries',
    `(kind, day, description) values ('opening', '2022-01-01', 'Capital')`,
    [],
    {},
  );
  for (const line of [`1, 'bank', 'USD', 100`, `2, 'equity', 'USD', -100`])
    await insert(
      'book_entry_lines',
      `(entry_id, position, account, currency, amount) values ($1, ${line})`,
      [entry],
      {},
    );
}

/** A line of a statement of a bank account of its own, which is a part of an entry. */
async function addStatement({ one, insert }: Pick<SceneBase, 'one' | 'insert'>): Promise<void> {
  const account = await one(
    `insert into bank_accounts (account_number, account_title, bank_name) values ('002', 'Capital', 'Ecobank')
     returning id`,
    [],
  );
  await insert(
    'bank_feeds',
    `(bank_account_id, ledger, currency, day_heading, description_heading, amount_heading)
     values ($1, 'bank', 'USD', 'Date', 'Text', 'Amount')`,
    [account],
    {},
  );
  const file = await insert(
    'bank_imports',
    `(bank_account_id, file_name, line_count, known_count, first_day, last_day, opening_balance, closing_balance)
     values ($1, 'January.csv', 1, 0, '2022-01-01', '2022-01-01', 0, 100)`,
    [account],
    {},
  );
  const line = await insert(
    'bank_lines',
    `(import_id, bank_account_id, position, day, description, amount, balance, matched_at)
     values ($1, $2, 1, '2022-01-01', 'Capital', 100, 100, now())`,
    [file, account],
    {},
  );
  await insert(
    'bank_matches',
    `(line_id, kind, document_id, currency, amount)
     select $1, 'entry', l.id, 'USD', 100 from book_entry_lines l where l.account = 'bank' limit 1`,
    [line],
    {},
  );
}

/** An invoice of 2022 of which a line is credited and a part is paid. It is not among the rows: only drafts are deleted. */
async function addDocuments(
  { one, insert }: Pick<SceneBase, 'one' | 'insert'>,
  contract: string,
): Promise<void> {
  const invoice = await one(
    `insert into invoices (contract_id, client_id, period_start, period_end, currency)
     select id, client_id, '2022-01-01', '2022-01-31', 'USD' from contracts where id = $1 returning id`,
    [contract],
  );
  const line = `insert into invoice_lines (invoice_id, description, rate) values ($1, 'Radio', $2) returning id`;
  await one(line, [invoice, 25]);
  const free = await one(line, [invoice, 0]);
  await one(
    `update invoices set status = 'issued', year = 2022, sequence = 1, issued_on = '2022-02-01', due_on = '2022-03-02',
       bill_to = '{"name": "Billed"}' where id = $1 returning id`,
    [invoice],
  );
  const note = await insert(
    'credit_notes',
    `(invoice_id, client_id, year, sequence, reason, currency, amount, tax, issued_on)
     select id, client_id, 2022, 1, 'Not delivered', 'USD', 0, 0, '2022-02-03' from invoices where id = $1`,
    [invoice],
    {},
  );
  await insert(
    'credit_note_lines',
    `(credit_note_id, invoice_line_id, amount, tax_amount) values ($1, $2, 0, 0)`,
    [note, free],
    {},
  );
  const receipt = await insert(
    'receipts',
    `(client_id, currency, amount, received_on, method)
     select client_id, 'USD', 20, '2022-02-10', 'cash' from invoices where id = $1`,
    [invoice],
    {},
  );
  await insert(
    'receipt_allocations',
    '(receipt_id, invoice_id, amount) values ($1, $2, 20)',
    [receipt, invoice],
    {},
  );
  await insert(
    'invoice_mails',
    `(invoice_id, email) values ($1, 'billed@client.example')`,
    [invoice],
    {},
  );
  await insert(
    'payment_accounts',
    `(currency, kind, provider, title, number) values ('USD', 'bank', 'Ecobank', 'Statesman', '0001')`,
    [],
    {},
  );
  const onAccount = await insert(
    'receipts',
    `(client_id, currency, amount, received_on, method)
     select client_id, 'USD', 7, '2022-02-11', 'cash' from invoices where id = $1`,
    [invoice],
    {},
  );
  await insert(
    'refunds',
    `(receipt_id, client_id, currency, amount, method, reason)
     select id, client_id, currency, 3, 'cash', 'Paid twice' from receipts where id = $1`,
    [onAccount],
    {},
  );
  await insert(
    'disputes',
    `(client_id, invoice_id, reason, since) select client_id, id, 'Hours', '2022-02-12' from invoices where id = $1`,
    [invoice],
    {},
  );
  await insert(
    'payment_reminders',
    `(client_id, currency, days_overdue) select client_id, 'USD', 7 from invoices where id = $1`,
    [invoice],
    {},
  );
}

/** A draft of a quote to a visitor, with a line and a mail. */
export async function addQuote({ insert }: SceneBase, enquiry: string): Promise<void> {
  const quote = await insert(
    'quotes',
    `(enquiry_id, client_name, site_name, site_address, starts_on, valid_until)
     values ($1, 'Visitor', 'Store', 'Sinkor', '2031-01-01', '2031-01-31')`,
    [enquiry],
    {},
  );
  await insert(
    'quote_lines',
    `(quote_id, position, post_name, guards, hours_a_day, days_a_week, rate) values ($1, 1, 'Gate', 1, 12, 7, 3.5)`,
    [quote],
    {},
  );
  await insert('quote_mails', `(quote_id, email) values ($1, 'v@x.example')`, [quote], {});
}
