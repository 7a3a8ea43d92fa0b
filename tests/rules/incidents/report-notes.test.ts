import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { guardHere, opsManager } from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

const incident = () => scene.rows.incidents.find(({ owner }) => owner === guardHere.id)?.id ?? '';
const ADD = 'insert into report_notes (incident_id, note) values ($1, $2)';

test('the database names the author of a note, and the office reads it', () =>
  rolledBack(database.owner, async (client) => {
    await become(client, guardHere);
    await client.query(ADD, [incident(), '  He had a blue car. ']);
    await become(client, opsManager);
    const { rows } = await client.query(
      'select note, created_by from report_notes where incident_id = $1 order by created_at desc limit 1',
      [incident()],
    );
    expect(rows).toEqual([{ note: 'He had a blue car.', created_by: guardHere.id }]);
  }));

test('a report takes a hundred notes, and none without words', () =>
  rolledBack(database.owner, async (client) => {
    await becomeOwner(client);
    await client.query('delete from report_notes');
    await client.query(
      `insert into report_notes (incident_id, note) select $1, 'Note ' || n from generate_series(1, 99) n`,
      [incident()],
    );
    await become(client, guardHere);
    const add = (note: string) => attempt(client, () => client.query(ADD, [incident(), note]));
    expect(await add('The last one')).toBeUndefined();
    expect(await add('One too many')).toBe('23514');
    await becomeOwner(client);
    await client.query('delete from report_notes');
    await become(client, guardHere);
    expect(await add(' ')).not.toBeUndefined();
  }));
