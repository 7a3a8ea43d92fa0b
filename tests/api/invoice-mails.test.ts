// Invoices reach the client by mail, with the PDF, and the office sees when.
import { smtpServer } from 'supabase-in-node/testing/smtp';
import { expect, it } from 'vitest';
import { addClient, addDraft, linesOf } from '#tests/support/invoice-story.ts';
import { testServer } from '#tests/support/server.ts';

const smtp = await smtpServer();
const server = await testServer({ SMTP_URL: smtp.url, MAIL_FROM: 'desk@test.example' });

it('an issued invoice is mailed to the address of the contract with its PDF', async () => {
  const { client, id } = await server.signedUp();
  await server.database.owner.query(
    `insert into user_roles (user_id, role) values ($1, 'finance')`,
    [id],
  );
  const owner = await server.database.owner.connect();
  const draft = await addDraft(owner, await addClient(owner, 'Embassy'), [100.5]);
  owner.release();
  const { data: invoice } = await client.rpc('issue_invoice', { id: draft }).throwOnError();
  const { data: sent } = await client.rpc('send_invoices', { p_ids: [draft] }).throwOnError();
  expect(sent).toEqual([{ id: draft, email: 'accounts@client.example', refusal: null }]);

  const mail = await smtp.mails.next();
  expect(mail).toContain(`Subject: Invoice ${invoice?.number} from`);
  expect(mail).toContain('To: accounts@client.example');
  expect(mail).toContain('$100.50');
  const [, encoded = ''] =
    /filename=INV-\S+\.pdf\r?\n(?:\S.*\r?\n)*\r?\n([\s\S]+?)\r?\n--/.exec(mail) ?? [];
  const pdf = Buffer.from(encoded, 'base64').toString('latin1');
  expect(pdf).toMatch(/^%PDF-/);
  expect(pdf).toContain(`Invoice ${invoice?.number}`);

  const stored = () => client.from('invoices').select('mailed_at').eq('id', draft).single();
  await expect.poll(async () => (await stored()).data?.mailed_at).toBeTruthy();
});

it('a credit note goes with its invoice, as a PDF of its own', async () => {
  const { client, id } = await server.signedUp();
  const owner = await server.database.owner.connect();
  await owner.query(`insert into user_roles (user_id, role) values ($1, 'finance')`, [id]);
  const draft = await addDraft(owner, await addClient(owner, 'Consulate'), [80, 20]);
  const lines = await linesOf(owner, draft);
  owner.release();
  await client.rpc('issue_invoice', { id: draft }).throwOnError();
  const { data: note } = await client
    .rpc('credit_invoice', {
      p_invoice_id: draft,
      p_reason: 'The gate was closed',
      p_line_ids: lines.slice(1),
    })
    .throwOnError();
  await client.rpc('send_invoices', { p_ids: [draft] }).throwOnError();

  const mail = await smtp.mails.next();
  expect(mail).toMatch(/Credit note CN-\d{4}-\d{4} for \$20\.00/);
  expect(mail).toContain('Still to pay: $80.00');
  const [, encoded = ''] =
    /filename=CN-\S+\.pdf\r?\n(?:\S.*\r?\n)*\r?\n([\s\S]+?)\r?\n--/.exec(mail) ?? [];
  const pdf = Buffer.from(encoded, 'base64').toString('latin1');
  expect(pdf).toContain(`Credit note ${note?.number}`);
  expect(pdf).toContain('$20.00');
  expect(pdf).not.toContain('$80.00');
});
