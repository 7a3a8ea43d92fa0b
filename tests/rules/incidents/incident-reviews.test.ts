// From a guard's report to a letter that may go to the client: reviewed, sent back with a question, approved.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  bystander,
  guardElsewhere,
  guardHere,
  opsManager,
  type Person,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

/** A story of one report by the guard at the site "here". */
async function story(
  severity: string,
  tell: (report: ReturnType<typeof stepsOf>) => Promise<void>,
  reporter: Person = guardHere,
) {
  await rolledBack(database.owner, async (client) => {
    await client.query('delete from notices');
    await become(client, reporter);
    const { rows } = await client.query<{ id: string }>(
      `insert into incidents (site_id, title, category, severity, description)
       values ($1, 'Gate forced', 'security', $2, 'The gate of the yard was forced at night.') returning id`,
      [scene.sites.here, severity],
    );
    await tell(stepsOf(client, rows[0]?.id ?? ''));
  });
}

function stepsOf(client: PoolClient, id: string) {
  const as = async (person: Person, sql: string, values: unknown[] = []) => {
    await become(client, person);
    return client.query(sql, values);
  };
  const tried = async (person: Person, sql: string, values: unknown[]) => {
    await become(client, person);
    return attempt(client, () => client.query(sql, values));
  };
  return {
    id,
    as,
    tried,
    owner: async (sql: string, values: unknown[] = []) => {
      await becomeOwner(client);
      return (await client.query(sql, values)).rows;
    },
    review: (person: Person, decision: string | null, note: string | null = null) =>
      tried(person, 'select review_incident($1, $2, $3)', [id, decision, note]),
    answer: (person: Person, note: string) =>
      tried(person, 'insert into report_notes (incident_id, note) values ($1, $2)', [id, note]),
    state: async (person: Person = supervisorHere) => {
      const { rows } = await as(
        person,
        'select review_state(i) as state from incidents i where id = $1',
        [id],
      );
      return rows[0]?.state;
    },
    notices: async () => {
      await becomeOwner(client);
      const { rows } = await client.query<{ name: string; title: string }>(
        `select p.full_name as name, n.title from notices n join profiles p on p.id = n.user_id
         where n.kind = 'incident' order by n.created_at, p.full_name`,
      );
      await client.query('delete from notices');
      return rows.map(({ name, title }) => `${name}: ${title}`);
    },
    write: async (person: Person, email: string | null = 'ann@client.example') => {
      const { rows } = await as(
        person,
        `insert into incident_letters (incident_id, addressee, subject, summary, signatory, email)
         values ($1, 'Ann Cooper', 'Gate forced', 'The gate was forced and is locked again.', 'Ellen', $2)
         returning id`,
        [id, email],
      );
      return String(rows[0]?.id);
    },
    approve: (person: Person, letter: string) =>
      tried(person, 'select approve_letter($1)', [letter]),
    letters: async () => {
      await becomeOwner(client);
      const { rows } = await client.query(
        `select l.version, l.approved_at is not null as approved, l.approved_by, m.letter_id is not null as queued
         from incident_letters l left join private.letter_mails m on m.letter_id = l.id
         where l.incident_id = $1 order by version`,
        [id],
      );
      return rows;
    },
  };
}

describe('the review of a report', () => {
  test('a question goes to the guard, the answer back to the reviewer, and the report is accepted', () =>
    story('low', async (report) => {
      expect(await report.notices()).toContain(`${supervisorHere.name}: Low report: Here`);
      expect(await report.state()).toBe('waiting');
      expect(await report.review(supervisorHere, 'returned', '  ')).toBe('22023');
      expect(await report.review(supervisorHere, 'returned', 'Which gate?')).toBeUndefined();
      expect(await report.notices()).toEqual([`${guardHere.name}: A question about your report`]);
      expect(await report.state(guardHere)).toBe('returned');
      const { rows } = await report.as(
        guardHere,
        'select note from incident_reviews where incident_id = $1',
        [report.id],
      );
      expect(rows).toEqual([{ note: 'Which gate?' }]);
      expect(await report.answer(guardHere, 'The one to the road.')).toBeUndefined();
      expect(await report.notices()).toEqual([`${supervisorHere.name}: Answer: Gate forced`]);
      expect(await report.state()).toBe('answered');
      expect(await report.review(supervisorHere, 'accepted')).toBeUndefined();
      expect(await report.state()).toBe('reviewed');
      // What the guard remembers later opens no new review, and nobody gets a notice as if it were an answer.
      await report.answer(guardHere, 'It was a blue car.');
      expect(await report.state()).toBe('reviewed');
      expect(await report.notices()).toEqual([]);
    }));

  test('is done by those who oversee the site', () =>
    story('low', async (report) => {
      expect(await report.review(supervisorElsewhere, 'accepted')).toBe('PT404');
      expect(await report.review(guardHere, 'accepted')).toBe('PT404');
      expect(await report.review(guardElsewhere, 'returned', 'Why?')).toBe('PT404');
      expect(await report.review(opsManager, 'closed')).toBe('22023');
      expect(await report.review(opsManager, null)).toBe('22023');
      expect(await report.review(opsManager, 'accepted')).toBeUndefined();
      expect(
        await report.tried(opsManager, `update incident_reviews set decision = 'returned'`, []),
      ).toBe(REFUSED);
    }));

  test('of a colleague’s report hides questions from other guards of the site', () =>
    story('low', async (report) => {
      await report.review(supervisorHere, 'returned', 'Which gate?');
      const { rows } = await report.as(
        bystander,
        'select note from incident_reviews where incident_id = $1',
        [report.id],
      );
      expect(rows).toEqual([]);
    }));

  test('needs a second person for high and critical reports only', async () => {
    await story(
      'critical',
      async (report) => {
        expect(await report.review(supervisorHere, 'accepted')).toBe('PT409');
        expect(await report.review(opsManager, 'accepted')).toBeUndefined();
      },
      supervisorHere,
    );
    await story(
      'medium',
      async (report) => {
        expect(await report.review(supervisorHere, 'accepted')).toBeUndefined();
      },
      supervisorHere,
    );
  });

  test('of many reports is done for all or none, and counts what is left', () =>
    story('high', async (report) => {
      await report.owner('delete from incident_reviews');
      const queue = async () =>
        (await report.as(supervisorHere, 'select to_review, returned from incident_queue()'))
          .rows[0];
      const before = await queue();
      const mine = scene.rows.incidents.filter(({ site }) => site === 'here').map(({ id }) => id);
      const others = scene.rows.incidents
        .filter(({ site }) => site === 'elsewhere')
        .map(({ id }) => id);
      const many = 'select review_incidents($1, $2) as count';
      const reviewAll = (ids: string[]) => report.tried(supervisorHere, many, [ids, 'All clear']);
      expect(await reviewAll([...mine, ...others])).toBe('PT409');
      expect(await queue()).toEqual(before);
      expect(await reviewAll([...mine, report.id])).toBeUndefined();
      expect(await queue()).toEqual({
        ...before,
        to_review: before.to_review - mine.length - 1,
      });
    }));

  test('can’t ask a caller without an account', () =>
    story('low', async (report) => {
      await report.owner('update incidents set raised_by_user_id = null where id = $1', [
        report.id,
      ]);
      expect(await report.review(opsManager, 'returned', 'Which gate?')).toBe('PT409');
      expect(await report.review(opsManager, 'accepted', 'Called back.')).toBeUndefined();
    }));
});

describe('a letter to the client', () => {
  test('about a reviewed low report is approved by its writer and mailed', () =>
    story('low', async (report) => {
      await report.review(supervisorHere, 'accepted');
      await report.write(supervisorHere);
      expect(await report.letters()).toEqual([
        { version: 1, approved: true, approved_by: supervisorHere.id, queued: true },
      ]);
    }));

  test('waits until the report is reviewed', () =>
    story('low', async (report) => {
      const letter = await report.write(supervisorHere);
      expect(await report.letters()).toMatchObject([{ approved: false, queued: false }]);
      expect(await report.approve(supervisorHere, letter)).toBe('PT409');
      await report.review(supervisorHere, 'accepted');
      expect(await report.approve(supervisorHere, letter)).toBeUndefined();
      expect(await report.letters()).toMatchObject([{ approved: true, queued: true }]);
    }));

  test('about a critical report needs someone else than its writer, who get a notice', () =>
    story('critical', async (report) => {
      await report.review(opsManager, 'accepted');
      await report.notices();
      const letter = await report.write(opsManager);
      const notices = await report.notices();
      expect(notices).toContain(`${supervisorHere.name}: Letter waits for approval: Gate forced`);
      expect(notices).toContain(`${admin.name}: Letter waits for approval: Gate forced`);
      expect(notices.filter((line) => line.startsWith(opsManager.name))).toEqual([]);
      expect(await report.approve(opsManager, letter)).toBe('PT409');
      expect(await report.approve(supervisorElsewhere, letter)).toBe('PT404');
      expect(await report.approve(guardHere, letter)).toBe('PT404');
      expect(await report.letters()).toMatchObject([{ approved: false, queued: false }]);
      expect(await report.approve(supervisorHere, letter)).toBeUndefined();
      // Approving again changes nothing.
      expect(await report.approve(admin, letter)).toBeUndefined();
      expect(await report.letters()).toEqual([
        { version: 1, approved: true, approved_by: supervisorHere.id, queued: true },
      ]);
    }));

  test('that was grave when it was written still needs a second person', () =>
    story('high', async (report) => {
      await report.review(opsManager, 'accepted');
      const letter = await report.write(opsManager, null);
      await report.as(opsManager, `update incidents set severity = 'low' where id = $1`, [
        report.id,
      ]);
      expect(await report.approve(opsManager, letter)).toBe('PT409');
      expect(await report.approve(admin, letter)).toBeUndefined();
      expect(await report.letters()).toMatchObject([{ approved: true, queued: false }]);
    }));

  test('is approved in its newest version only', () =>
    story('high', async (report) => {
      await report.review(opsManager, 'accepted');
      const first = await report.write(opsManager);
      const second = await report.write(opsManager);
      expect(await report.approve(admin, first)).toBe('PT409');
      expect(await report.approve(admin, second)).toBeUndefined();
      expect(await report.letters()).toMatchObject([
        { version: 1, approved: false, queued: false },
        { version: 2, approved: true, queued: true },
      ]);
    }));

  test('can’t be stored as approved by its writer', () =>
    story('low', async (report) => {
      expect(
        await report.tried(
          opsManager,
          `insert into incident_letters (incident_id, addressee, subject, summary, signatory, approved_at)
           values ('${report.id}', 'Ann', 'Gate forced', 'The gate was forced and is locked.', 'Ellen', now())`,
          [],
        ),
      ).toBe(REFUSED);
    }));
});
