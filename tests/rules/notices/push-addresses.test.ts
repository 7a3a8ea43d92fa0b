// Push messages go to valid addresses of known services; private.settings has those of the browsers and of PUSH_SERVICES.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { guardHere } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(
    `update private.settings set push_services = array['https://fcm.googleapis.com', 'https://*.push.services.mozilla.com',
       'https://*.notify.windows.com', 'https://*.push.apple.com', 'http://127.0.0.1:4100']`,
  );
});

const subscribe = (endpoint: string) =>
  rolledBack(database.owner, async (client) => {
    await become(client, guardHere);
    return attempt(client, () =>
      client.query('select subscribe_push($1, $2, $3)', [endpoint, 'a'.repeat(87), 'b'.repeat(22)]),
    );
  });

test.each([
  'https://fcm.googleapis.com/fcm/send/dVt9-x:APA91bE_~1',
  'https://updates.push.services.mozilla.com/wpush/v2/gAAAAAB',
  'https://wns2-par02p.notify.windows.com/w/?token=BQYAAAD%2fx%3d',
  'https://web.push.apple.com/QGuQyavXutnMH',
  'http://127.0.0.1:4100/send/1',
])('%s is an address', async (endpoint) => {
  expect(await subscribe(endpoint)).toBeUndefined();
});

test.each([
  '',
  'none',
  'https://fcm.googleapis.com',
  'http://fcm.googleapis.com/fcm/send/1',
  'https://fcm.googleapis.com:8443/fcm/send/1',
  'https://fcm.googleapis.com/fcm/send/1 2',
  'https://fcm.googleapis.com/fcm/send/1\n',
  'https://fcm.googleapis.com/<b>',
  'https://fcm.googleapis.com/\u202e1',
  'https://fcmxgoogleapis.com/fcm/send/1',
  'https://a..push.services.mozilla.com/1',
  'https://-.push.services.mozilla.com/1',
  'https://:::.push.services.mozilla.com/1',
  'https://10.0.0.1:80.push.services.mozilla.com/1',
  'https://push.services.mozilla.com/1',
  'https://evilpush.apple.com/1',
  'https://user@web.push.apple.com/1',
  'https://web.push.apple.com@127.0.0.1/1',
  'https://web.push.apple.com.evil.example/1',
  'http://127.0.0.1:4101/send/1',
  'http://169.254.169.254/latest/meta-data',
  `https://web.push.apple.com/${'1'.repeat(1000)}`,
])('%j is none', async (endpoint) => {
  expect(await subscribe(endpoint)).toBe('23514');
});
