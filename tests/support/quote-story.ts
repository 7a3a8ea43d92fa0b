// The office between an enquiry and a contract, in one transaction that is rolled back.
import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { admin, opsManager, type Person } from './people.ts';
import { become, becomeOwner, refusal, rolledBack } from './session.ts';

export const TERMS = {
  client_name: 'Red Light Stores',
  contact_name: 'Garmai Kollie',
  email: 'garmai@stores.example',
  site_name: 'Warehouse',
  site_address: 'Red Light, Paynesville',
  currency: 'USD',
  starts_on: '2031-02-01',
  valid_until: '2099-12-31',
  payment_terms_days: 30,
  prices_include_tax: false,
  terms: 'Uniforms and radios are included.',
};

/** A guard day and night at the gate, and one at the yard on weekdays. */
export const LINES = [
  { post_name: 'Gate', guards: 2, hours_a_day: 12, days_a_week: 7, rate: 3.5 },
  { post_name: 'Yard', guards: 1, hours_a_day: 8, days_a_week: 5, rate: 4 },
];

export type Row = Record<string, unknown>;

/** Works as people take turns in one transaction that is rolled back. */
export class Office {
  constructor(readonly client: PoolClient) {}

  async as(person: Person, sql: string, values: unknown[] = []): Promise<Row[]> {
    await become(this.client, person);
    const { rows } = await this.client.query<Row>(sql, values);
    await becomeOwner(this.client);
    return rows;
  }

  async owner(sql: string, values: unknown[] = []): Promise<Row> {
    const { rows } = await this.client.query<Row>(sql, values);
    return rows[0] ?? {};
  }

  async enquiry(): Promise<string> {
    const { id } = await this.owner(
      `insert into contact_messages (name, email, company, message)
       values ('Garmai Kollie', 'garmai@stores.example', 'Red Light Stores', 'Two guards, please.') returning id`,
    );
    return String(id);
  }

  async save(
    enquiry: string,
    terms: object = {},
    lines: object[] = LINES,
    id: string = randomUUID(),
  ) {
    await this.as(opsManager, 'select save_quote($1, $2, $3, $4)', [
      id,
      enquiry,
      { ...TERMS, ...terms },
      JSON.stringify(lines),
    ]);
    return id;
  }

  /** @returns a quote that its client has accepted */
  async accepted(enquiry: string, terms: object = {}, lines: object[] = LINES): Promise<string> {
    const id = await this.save(enquiry, terms, lines);
    await this.as(opsManager, 'select send_quote($1)', [id]);
    await this.as(opsManager, `select answer_quote($1, 'accepted')`, [id]);
    return id;
  }

  async turn(id: string, person: Person = admin): Promise<string> {
    const [row] = await this.as(person, 'select turn_into_contract($1) as contract', [id]);
    return String(row?.contract);
  }

  async refused(person: Person, sql: string, values: unknown[]): Promise<string> {
    const error = await refusal(this.client, () => this.as(person, sql, values));
    await becomeOwner(this.client);
    return error.message;
  }
}

export const office = (owner: Pool, work: (office: Office) => Promise<void>) =>
  rolledBack(owner, (client) => work(new Office(client)));
