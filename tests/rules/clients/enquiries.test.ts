import { DatabaseError } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, guardHere, opsManager, type Person } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const visitor: Pick<Person, 'claims'> = { claims: null };
const send = `insert into contact_messages (name, email, message)
  select 'Visitor', 'v@x.example', 'Please call me back.' from generate_series(1, $1)`;

/** Sends `count` enquiries per address in one transaction. @returns the error of the last one, if any */
function sendFrom(entries: [address: string | undefined, count: number][], person = visitor) {
  return rolledBack(database.owner, async (client) => {
    await become(client, person);
    for (const [address, count] of entries) {
      const headers = address === undefined ? {} : { 'x-forwarded-for': address };
      await client.query(`select set_config('request.headers', $1, true)`, [
        JSON.stringify(headers),
      ]);
      try {
        await client.query(send, [count]);
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        return {
          code: error.code,
          ...JSON.parse(error.message),
          ...JSON.parse(error.detail ?? ''),
        };
      }
    }
    return undefined;
  });
}

describe('an email address', () => {
  test.each<[string, [string | undefined, number][]]>([
    ['20 in an hour', [['10.0.0.1', 20]]],
    [
      '20 from each of two',
      [
        ['10.0.0.1', 20],
        ['10.0.0.2', 20],
      ],
    ],
    [
      '20 from each of two IPv6 customers',
      [
        ['2001:db8:1:1::5', 20],
        ['2001:db8:1:2::5', 20],
      ],
    ],
  ])('may send %s', async (_, entries) => {
    expect(await sendFrom(entries)).toBeUndefined();
  });

  test.each<[string, [string | undefined, number][]]>([
    ['all at once', [['10.0.0.1', 21]]],
    [
      'one after the other',
      [
        ['10.0.0.1', 20],
        ['10.0.0.1', 1],
      ],
    ],
    [
      'from one IPv6 network',
      [
        ['2001:db8:1:1::5', 20],
        ['2001:db8:1:1:9::6', 1],
      ],
    ],
    [
      'as IPv4 and the same within IPv6',
      [
        ['10.0.0.1', 20],
        ['::ffff:10.0.0.1', 1],
      ],
    ],
    [
      'through different proxies',
      [
        ['10.0.0.1', 20],
        ['10.0.0.1, 10.9.9.9', 1],
      ],
    ],
    [
      'without an address',
      [
        [undefined, 20],
        ['not an address', 1],
      ],
    ],
  ])('may not send a 21st %s', async (_, entries) => {
    const refusal = await sendFrom(entries);
    expect(refusal).toMatchObject({
      code: 'too_many_enquiries',
      message: 'You have sent many messages in a short time. Please try again in 60 minutes.',
      status: 429,
      headers: { 'Retry-After': '3600' },
    });
  });

  test('has the same limit when signed in', async () => {
    expect(await sendFrom([['10.0.0.1', 21]], guardHere)).toMatchObject({ status: 429 });
  });

  test('can send again an hour after the first enquiry', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(
        `insert into private.enquiry_arrivals (network, at)
         select '10.0.0.1', now() - interval '61 minutes' from generate_series(1, 20)`,
      );
      await become(client, visitor);
      await client.query(
        `select set_config('request.headers', '{"x-forwarded-for":"10.0.0.1"}', true)`,
      );
      await client.query(send, [20]);
      await becomeOwner(client);
      const { rows } = await client.query('select count(*)::int from private.enquiry_arrivals');
      expect(rows).toEqual([{ count: 20 }]);
    });
  });

  test('is limited to the configured number', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query('update private.settings set enquiries_per_hour = 2');
      await become(client, visitor);
      await client.query(send, [2]);
      await expect(client.query(send, [1])).rejects.toMatchObject({ code: 'PGRST' });
    });
  });
});

test('a visitor’s enquiry is queued for mail, a row loaded by the owner is not', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(send, [30]);
    await become(client, visitor);
    await client.query(send, [2]);
    await becomeOwner(client);
    const { rows } = await client.query('select count(*)::int from private.enquiry_mails');
    expect(rows).toEqual([{ count: 2 }]);
  });
});

test('an enquiry records who handled it last, whatever was sent', async () => {
  await rolledBack(database.owner, async (client) => {
    await become(client, opsManager);
    await client.query(`update contact_messages set state = 'answered', note = 'Called back.'`);
    await becomeOwner(client);
    const { rows } = await client.query(
      'select state, note, handled_by, handled_at is not null as dated from contact_messages',
    );
    expect(rows).toEqual([
      { state: 'answered', note: 'Called back.', handled_by: opsManager.id, dated: true },
    ]);
  });
  const forged = asPerson(database.owner, admin, 'update contact_messages set handled_by = $1', [
    guardHere.id,
  ]);
  await expect(forged).rejects.toMatchObject({ code: '42501' });
});
