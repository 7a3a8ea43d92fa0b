import { expect, test } from 'vitest';
import { readArchiveAddress, readPlace } from './place-address.ts';

const known = readPlace('s3://key:s3cr%2Ft@s3.example:9000/files/b?ssl=off', 'BACKUP_DIR', '/');
const bucketOf = (text: string) => {
  const { place } = readArchiveAddress(text, '/', known);
  return 'bucket' in place ? place.bucket : undefined;
};

test('a path is a folder, relative to where it was typed', () => {
  expect(readPlace('backups', '--to', '/srv')).toEqual({ folder: '/srv/backups' });
  expect(readArchiveAddress('b/a.backup', '/srv', undefined)).toEqual({
    place: { folder: '/srv/b' },
    name: 'a.backup',
  });
});

test('an address with credentials uses them', () => {
  expect(readArchiveAddress('s3://k:s@h/files/x/y/a.backup?region=eu', '/', known)).toEqual({
    place: {
      bucket: {
        endpoint: 'https://h',
        region: 'eu',
        bucket: 'files',
        prefix: 'x/y/',
        credentials: { accessKeyId: 'k', secretAccessKey: 's' },
      },
    },
    name: 'a.backup',
  });
});

test('an address without credentials uses those of the same bucket', () => {
  const bucket = bucketOf('s3://s3.example:9000/files/a.backup');
  expect(bucket).toMatchObject({ endpoint: 'http://s3.example:9000', bucket: 'files', prefix: '' });
  expect(bucket?.credentials).toEqual({ accessKeyId: 'key', secretAccessKey: 's3cr/t' });
});

test.each([
  's3://s3.example/files/a.backup',
  's3://other.example:9000/files/a.backup',
  's3://s3.example:9000/other/a.backup',
])('credentials go to no other place: %s', (text) => {
  expect(() => bucketOf(text)).toThrow('BACKUP_DIR is not of the same host and bucket');
});

test('an address without a name, or without anything known, is refused', () => {
  expect(() => bucketOf('s3://s3.example:9000/files')).toThrow('Name the archive in the bucket');
  expect(() => bucketOf('s3://s3.example:9000/files/b/')).toThrow('Name the archive in the bucket');
  expect(() => readArchiveAddress('s3://h/files/a.backup', '/', { folder: '/b' })).toThrow(
    'has no key and secret',
  );
});

test.each([
  's3://key:s3cr3t@host',
  's3://key:s3cr3t/x@host/files',
  's3://key:12/s3cr3t@host/files',
  's3://key:s3cr3t%zz@host/files',
  's3://:s3cr3t@host/files',
  's3://host/files',
])('a place that is not valid is named by its setting, without the secret: %s', (text) => {
  const read = (): unknown => readPlace(text, '--to', '/');
  expect(read).toThrow(/^--to is not valid\. Write it like s3:\/\/key:secret@host/);
  expect(read).not.toThrow(/s3cr3t/);
});
