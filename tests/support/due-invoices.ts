// What finance does with the contract of a billing story: its terms, and the drafts of what is due.
import type { Caller } from './billing-story.ts';
import { finance } from './people.ts';

/** Drafts what is due as finance. @returns `first last total` of the client's drafts */
export async function draftDue({ as, owner, story }: Caller, day: string): Promise<string[]> {
  await as(finance, 'select draft_due_invoices($1, $2)', [day, story.client]);
  await owner('set constraints all immediate');
  await owner('set constraints all deferred');
  const rows = await owner(
    `select concat_ws(' ', period_start, period_end, total) as draft from invoices
     where client_id = $1 and status = 'draft' order by period_start, total`,
    [story.client],
  );
  return rows.map(({ draft }) => String(draft));
}

export const issueAll = ({ as, story }: Caller) =>
  as(
    finance,
    `select issue_invoice(id) from invoices where client_id = $1 and status = 'draft' order by period_start`,
    [story.client],
  );

export const terms = (
  { owner, story }: Caller,
  { cycle = 'monthly', day = 1, from = '2025-01-01', to = null as string | null },
) =>
  owner(
    `update contracts set billing_cycle = $2, billing_day = $3, starts_on = $4, ends_on = $5 where id = $1`,
    [story.contract, cycle, day, from, to],
  );
