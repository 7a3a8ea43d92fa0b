// What a reason may override of the rules of rosters, and when they are checked again.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bystander,
  dispatcher,
  guardHere,
  opsManager,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { BROKEN, OVERLAP, rosterWriters } from '#tests/support/roster-writers.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import {
  attempt,
  become,
  becomeOwner,
  REFUSED,
  refusal,
  rolledBack,
} from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;
const { addShift, assign, work } = rosterWriters(() => scene);

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(
    'delete from attendance; delete from assignments; delete from shifts; delete from certifications',
  );
});

describe('an override', () => {
  const REASON = 'Nobody else can reach the embassy';
  const late = [['01 14:00', 8]] as const;

  test.each([
    ['an operations manager', opsManager, undefined],
    ['the supervisor of the site', supervisorHere, undefined],
    ['a dispatcher', dispatcher, OVERLAP],
    ['the supervisor of another site', supervisorElsewhere, REFUSED],
    ['the guard', guardHere, REFUSED],
  ])('by %s', async (_who, person, expected) => {
    await rolledBack(database.owner, async (client) => {
      await work(client, late);
      const shift = await addShift(client, ['02 06:00', 8]);
      await become(client, person);
      const values = [shift, [guardHere.id], REASON];
      const assignAgainstRules = () =>
        client.query('select assign_guards($1, $2, p_override_reason => $3)', values);
      const error = await attempt(client, assignAgainstRules);
      // Callers who can't read the shift get "not found".
      expect(error === 'PT404' ? REFUSED : error).toBe(expected);
      await becomeOwner(client);
      const { rows } = await client.query(
        'select override_reason, overridden_rules, overridden_by from assignments where shift_id = $1',
        [shift],
      );
      expect(rows).toEqual(
        expected === undefined
          ? [{ override_reason: REASON, overridden_rules: ['rest'], overridden_by: person.id }]
          : [],
      );
    });
  });

  test('tells who may override, and is kept in the activity log', async () => {
    await rolledBack(database.owner, async (client) => {
      await work(client, late);
      const shift = await addShift(client, ['02 06:00', 8]);
      await become(client, dispatcher);
      const error = await refusal(client, () => assign(client, shift));
      expect(error.message).toBe("guard on the site can't work this shift: 8 h rest, 12 needed.");
      expect(error.hint).toBe(
        'A supervisor, an operations manager or an admin can override this with a reason.',
      );
      await become(client, opsManager);
      expect((await refusal(client, () => assign(client, shift))).hint).toBe(
        'Assign the guard with a reason to override this.',
      );
      const { rows } = await assign(client, shift, guardHere, `  ${REASON} `);
      await becomeOwner(client);
      const log = await client.query(
        `select new_values -> 'override_reason' as reason, new_values -> 'overridden_rules' as rules, actor_id
         from audit_log where row_id = $1`,
        [rows[0]?.id],
      );
      expect(log.rows).toEqual([{ reason: REASON, rules: ['rest'], actor_id: opsManager.id }]);
    });
  });

  test('that was drafted is published by a dispatcher too, in the name of its author', async () => {
    await rolledBack(database.owner, async (client) => {
      await work(client, late);
      const shift = await addShift(client, ['02 06:00', 8]);
      await become(client, dispatcher);
      const draft = (reason: string | null) =>
        client.query('select apply_roster($1)', [
          JSON.stringify([
            { shift_id: shift, user_id: guardHere.id, change: 'assign', override_reason: reason },
          ]),
        ]);
      expect(await attempt(client, () => draft(REASON))).toBe('PT409');
      await become(client, opsManager);
      await draft(REASON);
      await become(client, dispatcher);
      await client.query('select publish_roster($1, $1)', ['2035-01-02']);
      await becomeOwner(client);
      const { rows } = await client.query(
        'select overridden_rules, overridden_by from assignments where shift_id = $1',
        [shift],
      );
      expect(rows).toEqual([{ overridden_rules: ['rest'], overridden_by: opsManager.id }]);
    });
  });

  test('never allows less than 8 hours of rest, also between two overrides', async () => {
    await rolledBack(database.owner, async (client) => {
      await work(client, late);
      await become(client, opsManager);
      const shift = await addShift(client, ['02 06:00', 6]);
      await assign(client, shift, guardHere, REASON);
      const next = await addShift(client, ['02 20:00', 4]);
      await assign(client, next, guardHere, REASON);
      const nearer = await addShift(client, ['03 07:59', 4]);
      expect(await attempt(client, () => assign(client, nearer, guardHere, REASON))).toBe(OVERLAP);
      await client.query(
        `update shifts set start_time = start_time + interval '1 minute' where id = $1`,
        [nearer],
      );
      await assign(client, nearer, guardHere, REASON);
    });
  });

  test('without a broken rule leaves no trace, and an empty reason is none', async () => {
    await rolledBack(database.owner, async (client) => {
      await become(client, opsManager);
      const shift = await addShift(client, ['02 06:00', 12]);
      await assign(client, shift, guardHere, REASON);
      const { rows } = await client.query(
        'select override_reason, overridden_rules, overridden_by from assignments where shift_id = $1',
        [shift],
      );
      expect(rows).toEqual([{ override_reason: null, overridden_rules: [], overridden_by: null }]);
      const long = await addShift(client, ['04 06:00', 13]);
      expect(await attempt(client, () => assign(client, long, guardHere, ' '))).toBe(BROKEN);
    });
  });

  test('can’t be claimed by the caller, and ends with another guard', async () => {
    await rolledBack(database.owner, async (client) => {
      const shift = await addShift(client, ['02 06:00', 13]);
      await become(client, dispatcher);
      const insert = `insert into assignments (shift_id, user_id, overridden_rules, overridden_by, rest_span)
        values ($1, $2, '{shift_hours}', $3, tstzrange('2035-01-02 06:00Z', '2035-01-02 19:00Z'))`;
      expect(
        await attempt(client, () => client.query(insert, [shift, guardHere.id, opsManager.id])),
      ).toBe(BROKEN);
      await become(client, opsManager);
      const { rows } = await assign(client, shift, guardHere, REASON);
      await become(client, dispatcher);
      const give = () =>
        client.query('update assignments set user_id = $2 where id = $1', [
          rows[0]?.id,
          bystander.id,
        ]);
      expect(await attempt(client, give)).toBe(BROKEN);
    });
  });
});

describe('checked again', () => {
  const NIGHT = [['01 14:00', 8]] as const;

  test('moving a shift names the guard; changing its status or notes does not ask', async () => {
    await rolledBack(database.owner, async (client) => {
      await work(client, NIGHT);
      const [next] = await work(client, [['02 10:00', 8]]);
      await become(client, opsManager);
      const move = () =>
        client.query(
          `update shifts set start_time = start_time - interval '3 hours' where id = $1`,
          [next],
        );
      const error = await refusal(client, move);
      expect(error.message).toBe("guard on the site can't work this shift: 9 h rest, 12 needed.");
      await client.query(
        `update shifts set start_time = start_time + interval '1 hour' where id = $1`,
        [next],
      );
      // Rules that change later leave what is planned alone.
      await becomeOwner(client);
      await client.query(
        `insert into rule_sets (name, effective_from, min_rest_hours) values ('More rest', '2030-06-01', 20)`,
      );
      await become(client, opsManager);
      await client.query(`update assignments set status = 'confirmed' where shift_id = $1`, [next]);
      await client.query(`update shifts set notes = 'Radio 2' where id = $1`, [next]);
      await client.query(`update assignments set status = 'cancelled' where shift_id = $1`, [next]);
      expect(
        await attempt(client, () =>
          client.query(`update assignments set status = 'assigned' where shift_id = $1`, [next]),
        ),
      ).toBe(OVERLAP);
    });
  });

  test('an override goes along with its shift, and a problem that stays as it was does not stop a move', async () => {
    await rolledBack(database.owner, async (client) => {
      const [first] = await work(client, NIGHT);
      const next = await addShift(client, ['02 06:00', 8]);
      await assign(client, next, guardHere, 'Nobody else');
      await become(client, dispatcher);
      await client.query(
        `update shifts set start_time = start_time + interval '1 hour' where id = $1`,
        [next],
      );
      const overrides = () =>
        client.query('select overridden_rules from assignments where shift_id = $1', [next]);
      expect((await overrides()).rows).toEqual([{ overridden_rules: ['rest'] }]);
      // The rest after it is 9 h now; this one starts earlier and ends at the same time.
      await client.query(
        `update shifts set start_time = start_time - interval '1 hour' where id = $1`,
        [first],
      );
      expect(
        await attempt(client, () =>
          client.query(
            `update shifts set end_time = end_time + interval '30 minutes' where id = $1`,
            [first],
          ),
        ),
      ).toBe(OVERLAP);
    });
  });

  test('another post of a shift names the guard who may not stand there, but for what is overridden', async () => {
    await rolledBack(database.owner, async (client) => {
      const shift = await addShift(client, ['01 06:00', 12]);
      await assign(client, shift);
      await client.query('delete from site_inductions');
      const { rows } = await client.query<{ id: string }>(
        `insert into posts (site_id, name, needs_induction, gender, gender_reason) values
           ($1, 'Vault', true, null, null), ($1, 'Vault door', true, null, null), ($1, 'Search room', false, 'female', 'Searches')
         returning id`,
        [scene.sites.here],
      );
      const [vault, door, search] = rows.map(({ id }) => id);
      await become(client, opsManager);
      const give = (post: string | null | undefined) =>
        client.query('update shifts set post_id = $2 where id = $1', [shift, post]);
      const error = await refusal(client, () => give(vault));
      expect([error.code, error.message]).toEqual([
        BROKEN,
        "guard on the site can't work this shift: Not inducted at this site.",
      ]);
      expect(JSON.parse(error.detail ?? '')).toEqual([
        { rule: 'induction', message: 'Not inducted at this site', can_override: true },
      ]);
      // With another time too, the same is checked.
      const both = () =>
        client.query(
          `update shifts set post_id = $2, end_time = end_time - interval '1 hour' where id = $1`,
          [shift, vault],
        );
      expect((await refusal(client, both)).message).toBe(error.message);

      await client.query(`update assignments set status = 'cancelled' where shift_id = $1`, [
        shift,
      ]);
      await give(vault);
      await client.query('delete from assignments where shift_id = $1', [shift]);
      await assign(client, shift, guardHere, 'Knows the vault');
      await give(door);
      expect((await refusal(client, () => give(search))).message).toBe(
        "guard on the site can't work this shift: The post is for female guards.",
      );
      await give(null);
    });
  });

  test('all rules are in force for an import with the service key', async () => {
    await rolledBack(database.owner, async (client) => {
      await work(client, NIGHT);
      const shift = await addShift(client, ['02 06:00', 8]);
      const nearer = await addShift(client, ['02 05:00', 8]);
      await client.query(
        `select set_config('role', 'service_role', true), set_config('request.jwt.claims', '{"role":"service_role"}', true)`,
      );
      expect(await attempt(client, () => assign(client, shift))).toBe(OVERLAP);
      expect(await attempt(client, () => assign(client, nearer, guardHere, 'Import'))).toBe(
        OVERLAP,
      );
      await assign(client, shift, guardHere, 'Import');
    });
  });

  test('without triggers, the constraint still refuses less rest', async () => {
    await rolledBack(database.owner, async (client) => {
      await work(client, NIGHT);
      const shift = await addShift(client, ['02 06:00', 8]);
      await client.query('alter table assignments disable trigger user');
      const insert = `insert into assignments (shift_id, user_id, site_id, period, rest_span)
        select id, $2, site_id, tstzrange(start_time, end_time),
          tstzrange(start_time - interval '6 hours', end_time + interval '6 hours') from shifts where id = $1`;
      const error = await refusal(client, () => client.query(insert, [shift, guardHere.id]));
      expect(error.constraint).toBe('assignments_leave_rest');
    });
  });
});
