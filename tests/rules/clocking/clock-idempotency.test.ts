import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { bystander, guardHere } from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, become, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

describe('clocking', () => {
  test('in and out are idempotent and return the same event and record', async () => {
    await rolledBack(database.owner, async (client) => {
      const assignment = scene.unattended.get(`${guardHere.id} here`);
      await client.query('delete from attendance where user_id = $1', [guardHere.id]);
      await become(client, guardHere);
      const run = async (id: string, kind: string, at: string) => {
        const event = await client.query(
          `select * from record_clock_event($1, $2, $3, ${at}, p_gps => '6.3000,-10.8000')`,
          [id, kind, assignment],
        );
        const { rows } = await client.query('select * from attendance where assignment_id = $1', [
          assignment,
        ]);
        return { event: event.rows[0], records: rows };
      };
      const [idIn, idOut] = [crypto.randomUUID(), crypto.randomUUID()];
      const clockIn = () => run(idIn, 'in', `now() - interval '1 hour'`);
      const clockOut = () => run(idOut, 'out', 'now()');
      const first = await clockIn();
      expect(first.records).toMatchObject([{ assignment_id: assignment, clock_out_at: null }]);
      expect(await clockIn()).toEqual(first);
      const out = await clockOut();
      expect(out.records).toMatchObject([
        { id: first.event.attendance_id, clock_out_at: expect.any(Date) },
      ]);
      expect(await clockOut()).toEqual(out);
      expect(await clockIn()).toEqual({ event: first.event, records: out.records });
    });
  });

  test.each(['in', 'out'])('%s on another guard’s assignment finds nothing', async (kind) => {
    const record = scene.rows.attendance.find((row) => row.owner === bystander.id)?.id;
    const { rows } = await database.owner.query(
      'select assignment_id from attendance where id = $1',
      [record],
    );
    for (const assignment of [
      scene.unattended.get(`${bystander.id} here`),
      rows[0].assignment_id,
    ]) {
      await expect(
        asPerson(
          database.owner,
          guardHere,
          `select record_clock_event(gen_random_uuid(), $1, $2, now(), p_gps => '6.3,-10.8')`,
          [kind, assignment],
        ),
      ).rejects.toMatchObject({ code: 'PT404' });
    }
  });
});
