// Proposing rates and approving them.
import type { PoolClient } from 'pg';
import { as, asOwner } from './books.ts';
import type { Person } from './people.ts';

const PROPOSE = `insert into rate_proposals (kind, name, effective_from, from_amount, rate, source) values ($1, $2, $3, $4, $5, 'Law') returning id`;
export const propose = async (
  client: PoolClient,
  person: Person,
  kind: string,
  day: string,
  rate: number,
  { name = null, from = 0 }: { name?: string | null; from?: number } = {},
): Promise<string> => (await as(client, person, PROPOSE, [kind, name, day, from, rate]))[0].id;
export const approve = (client: PoolClient, person: Person, id: string) =>
  as(client, person, 'select approve_rate($1)', [id]);
export const rateOn = async (client: PoolClient, kind: string, day: string) =>
  Number((await asOwner(client, 'select private.pay_rate($1, $2) as rate', [kind, day]))[0].rate);
