// Reports about incidents for contacts of the client: approved letters alone, with the photos chosen for them, and who has
// read them.
import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import {
  admin,
  contactElsewhere,
  contactHere,
  formerContact,
  guardHere,
  type Person,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

type Story = {
  client: PoolClient;
  incident: string;
  /** The first two are photos, the third is a document. */
  files: { id: string; url: string }[];
  as: (person: Person, sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  refused: (person: Person, sql: string, values?: unknown[]) => Promise<string>;
  /** A version of the letter, by an admin. @returns its id */
  write: (photos: (string | undefined)[], isApproved?: boolean) => Promise<string>;
};

/** An incident at `here` with evidence, and no letter. */
const story = (work: (story: Story) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    await client.query('delete from incidents');
    const incident = randomUUID();
    await client.query(
      `insert into incidents (id, site_id, raised_by_user_id, title, category, severity, description)
       values ($1, $2, $3, 'Broken lock', 'security', 'low', 'The lock of the store is broken.')`,
      [incident, scene.sites.here, guardHere.id],
    );
    const files: Story['files'] = [];
    for (const [name, type] of [
      ['a.jpg', 'image/jpeg'],
      ['b.png', 'image/png'],
      ['c.pdf', 'application/pdf'],
    ]) {
      const { rows } = await client.query(
        `insert into evidence (incident_id, type, url) values ($1, $2, $3) returning id, url`,
        [incident, type, `${incident}/${name}`],
      );
      files.push(rows[0]);
      await client.query(
        `insert into storage.objects (bucket_id, name, version) values ('evidence', $1, gen_random_uuid())`,
        [`${incident}/${name}`],
      );
    }
    await work({
      client,
      incident,
      files,
      as: async (person, sql, values = []) => {
        await become(client, person);
        return (await client.query(sql, values)).rows;
      },
      refused: async (person, sql, values = []) => {
        await become(client, person);
        return (await refusal(client, () => client.query(sql, values))).message;
      },
      write: async (photos, isApproved = true) => {
        await become(client, admin);
        const id = randomUUID();
        await client.query(
          `insert into incident_letters (id, incident_id, addressee, subject, summary, signatory, photo_ids)
           values ($1, $2, 'The client', 'Broken lock', 'The lock was broken and is mended.', 'Operations', $3)`,
          [id, incident, photos],
        );
        await becomeOwner(client);
        await client.query('update incident_letters set approved_at = $2 where id = $1', [
          id,
          isApproved ? new Date() : null,
        ]);
        return id;
      },
    });
  });

const REPORTS = 'select id, version, is_read, facts, photos, read_by from client_reports()';
const FILES = `select name from storage.objects where bucket_id = 'evidence' order by name`;

test('a letter shows once it is approved, with the files that were chosen, to contacts of the site’s client', () =>
  story(async ({ as, write, files: [first] }) => {
    await write([first?.id], false);
    expect(await as(contactHere, REPORTS)).toEqual([]);
    expect(await as(contactHere, FILES)).toEqual([]);
    const id = await write([first?.id]);
    const [report, ...others] = await as(contactHere, REPORTS);
    expect(others).toEqual([]);
    expect(report).toMatchObject({
      id,
      version: 2,
      is_read: false,
      photos: [{ id: first?.id, path: first?.url }],
      read_by: [],
    });
    // Nobody of the company is named.
    expect(report?.facts).not.toHaveProperty('reported_by');
    expect(await as(contactHere, FILES)).toEqual([{ name: first?.url }]);
    for (const person of [contactElsewhere, formerContact]) {
      expect(await as(person, REPORTS)).toEqual([]);
      expect(await as(person, FILES)).toEqual([]);
    }
    for (const table of ['incident_letters', 'evidence', 'incidents', 'letter_acknowledgements']) {
      expect(await as(contactHere, `select from ${table}`)).toEqual([]);
    }
  }));

test('a newer approved version replaces the earlier one and its photos', () =>
  story(async ({ as, write, files: [first, second] }) => {
    await write([first?.id, second?.id]);
    expect(await as(contactHere, FILES)).toHaveLength(2);
    await write([second?.id]);
    expect((await as(contactHere, REPORTS)).map(({ version }) => version)).toEqual([2]);
    expect(await as(contactHere, FILES)).toEqual([{ name: second?.url }]);
  }));

test('only photos of the same incident are chosen, and never again after that', () =>
  story(async ({ client, write, files: [first, , document], incident }) => {
    const message = /A chosen photo was removed, or isn't of this incident/;
    for (const id of [document?.id, randomUUID()]) {
      const error = await refusal(client, () => write([first?.id, id]));
      expect(error.message).toMatch(message);
    }
    await write([first?.id]);
    await become(client, admin);
    const error = await refusal(client, () =>
      client.query(`update incident_letters set photo_ids = '{}' where incident_id = $1`, [
        incident,
      ]),
    );
    expect(error.message).toContain('permission denied');
  }));

test('a contact says once that a report was read, and the overseers of the site see who and when', () =>
  story(async ({ as, refused, write }) => {
    const id = await write([]);
    const acknowledge = 'select acknowledge_letter($1)';
    for (const person of [contactElsewhere, formerContact, guardHere, admin]) {
      expect(await refused(person, acknowledge, [id])).toMatch(/There is no such report/);
    }
    await as(contactHere, acknowledge, [id]);
    await as(contactHere, acknowledge, [id]);
    expect(await as(contactHere, REPORTS)).toMatchObject([
      { is_read: true, read_by: [{ name: contactHere.name }] },
    ]);
    const seen = `select contact_name from letter_acknowledgements where letter_id = $1`;
    for (const person of [admin, supervisorHere]) {
      expect(await as(person, seen, [id])).toEqual([{ contact_name: contactHere.name }]);
    }
    for (const person of [supervisorElsewhere, guardHere]) {
      expect(await as(person, seen, [id])).toEqual([]);
    }
    // A version that was replaced is no longer acknowledged.
    await write([]);
    expect(await refused(contactHere, acknowledge, [randomUUID()])).toMatch(/no such report/);
    expect(await as(contactHere, REPORTS)).toMatchObject([{ is_read: false, read_by: [] }]);
  }));
