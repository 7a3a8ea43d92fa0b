// Transforming images: limits, shares of accounts, and clients that disconnect.
import { Readable } from 'node:stream';
import type { SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Images, openImages } from '#backend/services/storage/images/images.ts';
import { openBucket } from '#tests/support/buckets.ts';
import { SOURCES, type TestServer, testServer } from '#tests/support/server.ts';

/** Grain, which encoders need long for. */
const grain = (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'gray',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg({ quality: 70 })
    .toBuffer();

let server: TestServer;
let bucket: string;
let photo: Buffer;

beforeAll(async () => {
  server = await testServer();
  bucket = await openBucket(server, { public: true });
  photo = await grain(2600, 2600);
  const files = server.client().storage.from(bucket);
  await files.upload('photo.jpg', photo, { contentType: 'image/jpeg' });
  const large = await sharp({
    create: { width: 7000, height: 6900, channels: 3, background: '#b08d4f' },
  })
    .jpeg()
    .toBuffer();
  await files.upload('large.jpg', large, { contentType: 'image/jpeg' });
  const huge = await sharp({
    create: { width: 9900, height: 9900, channels: 3, background: '#b08d4f' },
  })
    .jpeg()
    .toBuffer();
  await files.upload('huge.jpg', huge, { contentType: 'image/jpeg' });
});

const render = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}/storage/v1/render/image/${path}`, init);

async function bearerOf(client: SupabaseClient): Promise<HeadersInit> {
  const { data } = await client.auth.getSession();
  return { authorization: `Bearer ${data.session?.access_token}` };
}

describe('an image', () => {
  test.each([
    ['huge.jpg', 'width=100', 'The image has too many pixels to be transformed'],
    ['large.jpg', 'format=webp', 'The transformed image would have too many pixels.'],
    ['large.jpg', 'quality=50', 'The transformed image would have too many pixels.'],
    ['photo.jpg', 'format=avif', 'The transformed image would have too many pixels.'],
  ])('%s as %s is refused with the reason', async (name, query, message) => {
    const answer = await render(`public/${bucket}/${name}?${query}`);
    expect(answer.status).toBe(400);
    const body = await answer.json();
    expect(body).toMatchObject({ statusCode: '422' });
    expect(body.message).toContain(message);
  });

  test('of a large photo is made smaller', async () => {
    const answer = await render(`public/${bucket}/large.jpg?width=70`);
    const { width, height } = await sharp(await answer.arrayBuffer()).metadata();
    expect([width, height]).toEqual([70, 69]);
  });

  test('costly for one account does not delay another account', async () => {
    const abuser = await bearerOf((await server.signedUp()).client);
    const guard = await bearerOf((await server.signedUp()).client);
    const order: string[] = [];
    const costly = `authenticated/${bucket}/photo.jpg?width=1000&height=1000&format=avif`;
    const all = Array.from({ length: 4 }, async () => {
      const answer = await render(costly, { headers: abuser });
      await answer.arrayBuffer();
      order.push('costly');
      return answer.status;
    });
    const small = await render(`authenticated/${bucket}/photo.jpg?width=90`, { headers: guard });
    order.push('small');
    expect(small.status).toBe(200);
    expect(await Promise.all(all)).toEqual([200, 200, 200, 200]);
    expect(order.indexOf('small')).toBeLessThan(2);
  });

  test('through a signed URL counts for the account that signed it', async () => {
    const { client } = await server.signedUp();
    const transform = { width: 1000, height: 1000, format: 'avif' } as never;
    const { data } = await client.storage
      .from(bucket)
      .createSignedUrl('photo.jpg', 60, { transform });
    const order: string[] = [];
    const all = Array.from({ length: 3 }, async () => {
      expect((await fetch(data?.signedUrl ?? '')).status).toBe(200);
      order.push('costly');
    });
    await render(`public/${bucket}/photo.jpg?width=90`);
    order.push('small');
    await Promise.all(all);
    expect(order.indexOf('small')).toBeLessThan(2);
  });
});

describe('a transformation', () => {
  const opened: Images[] = [];
  afterAll(() => {
    for (const images of opened) images.close();
  });
  const open = (limitMs?: number): Images => {
    const images = openImages(SOURCES, limitMs);
    opened.push(images);
    return images;
  };
  const costly = (share: string, signal = new AbortController().signal) => ({
    read: async () => Readable.from([photo]),
    transform: { width: 2500, height: 2500, format: 'avif' } as const,
    acceptsWebp: false,
    share,
    signal,
  });

  test('ends when the client disconnects: what waits, and what the encoder works on', async () => {
    const images = open();
    const clients = Array.from({ length: 12 }, () => new AbortController());
    const dropped = Promise.allSettled(
      clients.map(({ signal }) => images.transform(costly('a', signal))),
    );
    // The process of the first one has begun when another's image is ready.
    await images.transform({ ...costly('b'), transform: { width: 10 } });
    for (const client of clients) client.abort();
    for (const result of await dropped) {
      expect(result).toMatchObject({ status: 'rejected', reason: { status: 499 } });
    }
    const next = await images.transform({ ...costly('a'), transform: { width: 10 } });
    expect(next.type).toBe('image/jpeg');
  });

  test('ends at its time limit, also in the encoder', async () => {
    await expect(open(300).transform(costly('a'))).rejects.toMatchObject({
      statusCode: 422,
      message: 'Transforming the image takes too long. Ask for a smaller width or height.',
    });
  });

  test('ends at its time limit while the store does not answer', async () => {
    const read = () => new Promise<Readable>(() => {});
    await expect(open(50).transform({ ...costly('a'), read })).rejects.toMatchObject({
      statusCode: 422,
    });
  });
});
