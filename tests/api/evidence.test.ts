// Evidence: allowed content types, permissions, headers and resized images.
import type { SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { agreeing, asOperator, openBucket } from 'supabase-in-node/testing/buckets';
import {
  archive,
  COMPOUND,
  DOCX,
  ELF,
  EXE,
  INSTALLER,
  MP4,
  OGG,
  PDF,
  picture,
} from 'supabase-in-node/testing/samples';
import type { TestServer } from 'supabase-in-node/testing/server';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { testServer } from '#tests/support/server.ts';

let server: TestServer;
let reporter: SupabaseClient;
let incident: string;

beforeAll(async () => {
  server = await testServer();
  const { rows } = await server.database.owner.query<{ id: string }>(
    `insert into sites (name, client_name, address) values ('Gate', 'Client', 'Monrovia') returning id`,
  );
  const { client } = await server.signedUp();
  reporter = client;
  incident = crypto.randomUUID();
  const { error } = await reporter.from('incidents').insert({
    id: incident,
    site_id: rows[0]?.id ?? '',
    title: 'Broken fence',
    category: 'security',
    severity: 'low',
    description: 'The fence at the back gate is broken.',
  });
  if (error) throw error;
});

afterEach(() => agreeing(server));

const attach = (name: string, body: Buffer | string, contentType: string) =>
  reporter.storage.from('evidence').upload(`${incident}/${name}`, body, { contentType });

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('evidence can be', () => {
  test.each<[string, string, () => Buffer | string | Promise<Buffer>]>([
    ['photo.jpg', 'image/jpeg', () => picture('jpeg')],
    ['photo.jpeg', 'image/jpg', () => picture('jpeg')],
    ['scan.png', 'image/png', () => picture('png')],
    ['photo.webp', 'image/webp', () => picture('webp')],
    ['paper.pdf', 'application/pdf', () => PDF],
    ['letter.docx', WORD, () => DOCX],
    ['letter.doc', 'application/msword', () => COMPOUND],
    ['film.mp4', 'video/mp4', () => MP4],
    ['voice.m4a', 'audio/mp4', () => MP4],
    ['voice.ogg', 'audio/ogg', () => OGG],
    [
      'note.txt',
      'text/plain;charset=UTF-8',
      () => 'The gate was open at 02:10 & nobody < 5 m away.',
    ],
    ['list.csv', 'text/csv', () => 'name,time\nMusa,02:10\n'],
    ['car.txt', 'text/plain', () => 'BMW parked across the exit, plate A-1234.'],
    ['umlaut.txt', 'text/plain', () => Buffer.from('caf\u00e9', 'latin1')],
    ['wide.txt', 'text/plain', () => Buffer.from('\ufeffA note from a PC', 'utf16le')],
    ['empty.txt', 'text/plain', () => ''],
  ])('%s as %s', async (name, type, body) => {
    const { error } = await attach(name, await body(), type === 'image/jpg' ? 'image/jpeg' : type);
    expect(error).toBeNull();
  });

  test("of a type that the client can't name", async () => {
    const { error } = await attach('unknown', await picture('jpeg'), 'application/octet-stream');
    expect(error).toBeNull();
    const { data } = await reporter.storage.from('evidence').info(`${incident}/unknown`);
    expect(data?.contentType).toBe('image/jpeg');
  });
});

describe("evidence can't be", () => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  test.each<[string, string, () => Buffer | string | Promise<Buffer>]>([
    ['HTML', 'text/html', () => '<h1>hello</h1>'],
    ['HTML declared as text', 'text/plain', () => '<!doctype html><p>hello'],
    ['HTML declared as an image', 'image/jpeg', () => '<html><body>hello</body></html>'],
    [
      'HTML after a long text',
      'text/plain',
      () => `${'word '.repeat(60_000)}<script>alert(1)</script>`,
    ],
    ['HTML in UTF-16', 'text/plain', () => Buffer.from('\ufeff<script>x</script>', 'utf16le')],
    ['SVG', 'image/svg+xml', () => SVG],
    ['SVG declared as an image', 'image/png', () => SVG],
    ['SVG declared as text', 'text/plain', () => `<?xml version="1.0"?>${SVG}`],
    ['a script', 'text/javascript', () => 'alert(1)'],
    ['a script declared as text', 'text/plain', () => 'const a = 1;\nalert("x");\n'],
    ['a shell script', 'text/plain', () => '#!/bin/sh\nrm -rf /\n'],
    ['a batch file', 'text/plain', () => '@echo off\r\ndel *.*\r\n'],
    ['a PHP page', 'text/plain', () => '<?php system($_GET["a"]); ?>'],
    ['a program', 'application/x-executable', () => ELF],
    ['a program declared as a document', 'application/pdf', () => ELF],
    ['a Windows program declared as a video', 'video/mp4', () => EXE],
    ['an installer declared as a document', 'application/msword', () => INSTALLER],
    ['an archive declared as a document', WORD, () => archive({ 'run.sh': 'x' })],
    ['an image of another type', 'image/png', () => picture('jpeg')],
    ['a document declared as an image', 'image/jpeg', () => PDF],
    ['an image declared as text', 'text/plain', () => picture('png')],
    ['unknown bytes', 'image/jpeg', () => Buffer.from('00010203040506070809', 'hex')],
    ['bytes of an unknown type', 'application/octet-stream', () => Buffer.alloc(100, 3)],
  ])('%s (%s)', async (_, type, body) => {
    const { error } = await attach('bad', await body(), type);
    expect(error).toMatchObject({ status: 400, statusCode: '415' });
    expect((await reporter.storage.from('evidence').exists(`${incident}/bad`)).data).toBe(false);
  });

  test('larger than 10 MB', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024 + 1, 'a');
    expect((await attach('large.txt', body, 'text/plain')).error?.statusCode).toBe('413');
  });

  test('moved or copied in from an unchecked bucket', async () => {
    const other = await openBucket(server);
    const operator = asOperator(server).storage.from(other);
    await operator.upload('a.png', '<svg onload="alert(1)"/>', { contentType: 'image/png' });
    for (const how of ['move', 'copy'] as const) {
      const { error } = await operator[how]('a.png', `${incident}/a.png`, {
        destinationBucket: 'evidence',
      });
      expect(error?.statusCode).toBe('415');
    }
  });
});

test("users who can't read an incident can't list, open or add its files", async () => {
  const path = `${incident}/shared.txt`;
  expect((await attach('shared.txt', 'seen', 'text/plain')).error).toBeNull();
  const { client: otherUser } = await server.signedUp();
  for (const client of [otherUser, server.client()]) {
    const files = client.storage.from('evidence');
    expect((await files.list(incident)).data).toEqual([]);
    expect((await files.download(path)).error).not.toBeNull();
    expect((await files.createSignedUrl(path, 60)).error?.message).toBe('Object not found');
    expect((await files.upload(`${incident}/mine.txt`, 'x')).error?.message).toBe(
      'new row violates row-level security policy',
    );
    expect((await files.update(path, 'changed')).error?.statusCode).toBe('403');
    expect((await files.remove([path])).data).toEqual([]);
    expect((await files.move(path, `${incident}/moved.txt`)).error?.message).toBe(
      'Object not found',
    );
  }
  const mine = reporter.storage.from('evidence');
  expect((await mine.list(incident)).data?.map(({ name }) => name)).toContain('shared.txt');
  expect((await mine.remove([path])).data).toEqual([]);
  expect((await mine.move(path, `${incident}/moved.txt`)).error).not.toBeNull();
  expect(await (await mine.download(path)).data?.text()).toBe('seen');
});

describe('evidence', () => {
  let bucket: string;
  const opened = async (name: string, body: string | Buffer, contentType: string) => {
    await asOperator(server).storage.from(bucket).upload(name, body, { contentType, upsert: true });
    return fetch(server.client().storage.from(bucket).getPublicUrl(name).data.publicUrl);
  };
  beforeAll(async () => {
    bucket = await openBucket(server, { public: true });
  });

  test.each([
    ['text/html', 'text/plain; charset=utf-8', false],
    ['TEXT/HTML; charset=utf-8', 'text/plain; charset=utf-8', false],
    ['application/xhtml+xml', 'text/plain; charset=utf-8', false],
    ['text/javascript', 'text/plain; charset=utf-8', false],
    ['application/x-javascript', 'text/plain; charset=utf-8', false],
    ['image/svg+xml', 'image/svg+xml', true],
    ['application/xml', 'application/xml', true],
    ['application/zip', 'application/zip', true],
    ['image/png', 'image/png', false],
  ])("served as %s can't run as a page of the app", async (declared, type, isSaved) => {
    const response = await opened('file', '<script>alert(1)</script>', declared);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
    expect(response.headers.get('content-disposition')).toBe(isSaved ? 'attachment;' : null);
  });

  test('served as PDF can be shown in the browser', async () => {
    const response = await opened('a.pdf', PDF, 'application/pdf');
    expect(response.headers.get('content-security-policy')).not.toContain('sandbox');
    expect(response.headers.get('content-disposition')).toBeNull();
  });
});

describe('an image', () => {
  let bucket: string;
  let files: ReturnType<SupabaseClient['storage']['from']>;
  beforeAll(async () => {
    bucket = await openBucket(server, { public: true });
    files = server.client().storage.from(bucket);
    await files.upload('p.jpg', await picture('jpeg', 400, 200), { contentType: 'image/jpeg' });
  });
  const size = async (data: Blob | null): Promise<string> => {
    const { width, height, format } = await sharp(await data?.arrayBuffer()).metadata();
    return `${width}x${height} ${format}`;
  };

  test.each([
    [{ width: 100, height: 100 }, '100x100 jpeg'],
    [{ width: 100 }, '100x50 jpeg'],
    [{ width: 100, height: 100, resize: 'contain' }, '100x50 jpeg'],
    [{ width: 100, height: 100, resize: 'fill', quality: 60 }, '100x100 jpeg'],
  ] as const)('is resized as %j', async (transform, expected) => {
    const { data, error } = await files.download('p.jpg', { transform });
    expect(error).toBeNull();
    expect(await size(data)).toBe(expected);
  });

  test('is sent as WebP to clients that accept it, with the transformation in a header', async () => {
    const transform = { width: 200, height: 200, quality: 60 };
    const url = files.getPublicUrl('p.jpg', { transform }).data.publicUrl;
    const response = await fetch(url, { headers: { accept: 'image/webp,*/*' } });
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(response.headers.get('x-transformations')).toBe(
      'height:200,width:200,resizing_type:fill,quality:60',
    );
    const again = await fetch(url, {
      headers: { accept: 'image/webp,*/*', 'if-none-match': response.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  test("signed for a small size can't be opened in full size", async () => {
    const { data } = await files.createSignedUrl('p.jpg', 60, { transform: { width: 50 } });
    const url = data?.signedUrl ?? '';
    expect(await size(await (await fetch(url)).blob())).toBe('50x25 jpeg');
    expect((await fetch(url.replace('/render/image/', '/object/'))).status).toBe(400);
    expect(await size(await (await fetch(`${url}&width=400`)).blob())).toBe('50x25 jpeg');
  });

  test('is resized from a PNG with a wrong checksum, as browsers show it', async () => {
    const damaged = await picture('png', 40, 30);
    const chunk = damaged.indexOf('IDAT');
    const checksum = chunk + 4 + damaged.readUInt32BE(chunk - 4);
    damaged.writeUInt8(damaged.readUInt8(checksum) ^ 1, checksum);
    await files.upload('damaged.png', damaged, { contentType: 'image/png' });
    const { data, error } = await files.download('damaged.png', { transform: { width: 20 } });
    expect(error).toBeNull();
    expect(data && (await size(data))).toBe('20x15 png');
  });

  test('is rejected if it is not an image or has too many pixels', async () => {
    await files.upload('text.jpg', 'no picture', { contentType: 'image/jpeg' });
    await files.upload('drawn.jpg', '<svg xmlns="http://www.w3.org/2000/svg"/>', {
      contentType: 'image/jpeg',
    });
    // A decompression bomb: a few kilobytes that declare 20,000 by 20,000 pixels.
    const bomb = await picture('png', 1, 1);
    bomb.writeUInt32BE(20_000, 16);
    bomb.writeUInt32BE(20_000, 20);
    await files.upload('bomb.png', bomb, { contentType: 'image/png' });
    for (const name of ['text.jpg', 'drawn.jpg', 'bomb.png']) {
      const { error } = await files.download(name, { transform: { width: 10 } });
      expect([name, error && 'status' in error ? error.status : undefined]).toEqual([name, 400]);
    }
    for (const query of ['width=0', 'width=9999', 'width=a', 'quality=1', 'resize=odd']) {
      const response = await fetch(
        `${server.url}/storage/v1/render/image/public/${bucket}/p.jpg?${query}`,
      );
      expect([query, response.status]).toEqual([query, 400]);
    }
  });
});
