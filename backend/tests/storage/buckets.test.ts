import type { SupabaseClient } from '@supabase/supabase-js';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { agreeing, asOperator, openBucket } from '#tests/support/buckets.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;
let operator: SupabaseClient;
let visitor: SupabaseClient;

beforeAll(async () => {
  server = await testServer();
  operator = asOperator(server);
  visitor = server.client();
});

afterEach(() => agreeing(server));

const address = (path: string): string => `${server.url}/storage/v1${path}`;

test('the storage service reports its version', async () => {
  const response = await fetch(address('/version'));
  expect(response.status).toBe(200);
  expect(await response.text()).toMatch(/^\d+\.\d+\.\d+$/);
});

describe('buckets', () => {
  test('created by SQL with only the column owner show that owner', async () => {
    const owner = crypto.randomUUID();
    await server.database.owner.query(
      `insert into storage.buckets (id, name, owner) values ('by-sql', 'by-sql', $1)`,
      [owner],
    );
    expect((await operator.storage.getBucket('by-sql')).data?.owner).toBe(owner);
    await operator.storage.deleteBucket('by-sql');
  });

  test('are created, shown, changed, emptied and deleted with the service key', async () => {
    const made = await operator.storage.createBucket('papers', {
      public: false,
      fileSizeLimit: '20mb',
      allowedMimeTypes: ['image/*'],
    });
    expect(made).toEqual({ data: { name: 'papers' }, error: null });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const shown = {
      id: 'papers',
      name: 'papers',
      owner: '',
      public: false,
      file_size_limit: 20_000_000,
      allowed_mime_types: ['image/*'],
      created_at: time,
      updated_at: time,
    };
    expect((await operator.storage.getBucket('papers')).data).toEqual(shown);
    const { data: list } = await operator.storage.listBuckets({ search: 'PAPER' });
    expect(list).toEqual([{ ...shown, type: 'STANDARD' }]);

    const changed = await operator.storage.updateBucket('papers', {
      public: true,
      fileSizeLimit: null,
    });
    expect(changed.data).toEqual({ message: 'Successfully updated' });
    expect((await operator.storage.getBucket('papers')).data).toMatchObject({
      public: true,
      file_size_limit: null,
      allowed_mime_types: ['image/*'],
    });

    await operator.storage.from('papers').upload('a.png', 'x', { contentType: 'image/png' });
    const refused = await operator.storage.deleteBucket('papers');
    expect(refused.error).toMatchObject({
      message: 'The bucket you tried to delete is not empty',
      status: 400,
      statusCode: '409',
    });
    expect((await operator.storage.emptyBucket('papers')).data?.message).toBe(
      'Empty bucket has been queued. Completion may take up to an hour.',
    );
    expect((await operator.storage.deleteBucket('papers')).data).toEqual({
      message: 'Successfully deleted',
    });
    expect((await operator.storage.getBucket('papers')).error).toMatchObject({
      message: 'Bucket not found',
      statusCode: '404',
    });
  });

  test("can't be seen, created or emptied without it", async () => {
    const bucket = await openBucket(server);
    expect((await visitor.storage.listBuckets()).data).toEqual([]);
    expect((await visitor.storage.getBucket(bucket)).error?.message).toBe('Bucket not found');
    expect((await visitor.storage.createBucket('mine')).error).toMatchObject({
      message: 'new row violates row-level security policy',
      status: 400,
      statusCode: '403',
    });
    expect((await visitor.storage.updateBucket(bucket, { public: true })).error?.message).toBe(
      'Bucket not found',
    );
    expect((await visitor.storage.deleteBucket(bucket)).error?.message).toBe('Bucket not found');
    expect((await visitor.storage.emptyBucket(bucket)).error).toMatchObject({
      message: 'Access denied: Invalid role',
      status: 403,
    });
  });

  test('have a unique, valid name', async () => {
    const bucket = await openBucket(server);
    expect((await operator.storage.createBucket(bucket)).error).toMatchObject({
      message: 'The resource already exists',
      statusCode: '409',
    });
    for (const name of ['a/b', '', ' a', 'a'.repeat(101), 'ä', 'a\n']) {
      expect((await operator.storage.createBucket(name)).error?.message, name).toBe(
        'Bucket name invalid',
      );
    }
    const response = await fetch(address('/bucket'), {
      method: 'POST',
      headers: { authorization: `Bearer ${server.context.keys.serviceKey}` },
      body: '{}',
    });
    expect(await response.json()).toMatchObject({
      message: "body must have required property 'name'",
      error: 'Error',
      statusCode: '400',
    });
  });

  test('can be created by migrations', async () => {
    const { data } = await operator.storage.getBucket('documents');
    expect(data).toMatchObject({ public: false, file_size_limit: 10 * 1024 * 1024 });
  });
});
